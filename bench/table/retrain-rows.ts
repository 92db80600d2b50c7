import { cadreQueue, costNote } from './cadre-queue.js';
import { LONE_WORKER } from './contenders.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';
import { startLoneWorker } from './lone-worker.js';

/** A retrain of pages of many lengths, beside a worker that reads the same pages for nobody: what the road adds to the reading. */
export async function retrainRows(
  installation: Installation,
  { rounds, mixed }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  progress('a retrain of mixed pages');
  const what = 'retrain of mixed pages';
  const [own, alone]: [Line, Line] = [
    { what, unit: 'pages per second', who: 'Cadre', values: [] },
    { what, unit: 'pages per second', who: LONE_WORKER, values: [] },
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
  own.note = `${mixed} pages of 1 to 80 kB; ${costNote(costs, mixed)}`;
  return [own, alone];
}
