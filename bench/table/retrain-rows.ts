import { cadreQueue, costNote } from './cadre-queue.js';
import type { Installation } from './installation.js';
import { startLoneWorker } from './lone-worker.js';
import type { Line } from './report.js';

/** A retrain of pages of many lengths, beside a worker that reads the same pages for nobody: what the road adds to the reading. */
export async function retrainRows(
  installation: Installation,
  { rounds, mixed }: { rounds: number; mixed: number },
  progress: (text: string) => void,
): Promise<Line[]> {
  progress('a retrain of mixed pages');
  const what = `retrain of ${mixed} pages of 1 to 80 kB`;
  const [own, alone]: [Line, Line] = [
    { what, unit: 'pages per second', who: 'Cadre', values: [] },
    {
      what,
      unit: 'pages per second',
      who: 'its worker alone (same queue, no API, no database)',
      values: [],
    },
  ];
  const cadre = cadreQueue(installation);
  const urls = Array.from({ length: mixed }, (_, n) => installation.mixedUrl(n));
  const agentId = await cadre.agentWith(urls);
  const worker = await startLoneWorker(installation);
  const costs = [];
  // The first round stores the pages, and is not measured.
  for (let round = 0; round <= rounds; round += 1) {
    const { seconds, cost } = await cadre.retrain(agentId, round + 1);
    const secondsAlone = await worker.read(urls);
    if (round === 0) continue;
    costs.push(cost);
    own.values.push(mixed / seconds);
    alone.values.push(mixed / secondsAlone);
  }
  await worker.stop();
  own.note = costNote(costs, mixed);
  return [own, alone];
}
