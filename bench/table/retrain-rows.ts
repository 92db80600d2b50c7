import { cadreQueue, costNote } from './cadre-queue.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';

/** A retrain of pages of varying length. */
export async function retrainRows(
  installation: Installation,
  { rounds, mixed }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  progress('a retrain of mixed pages');
  const cadre = cadreQueue(installation);
  const agentId = await cadre.agentWith(Array.from({ length: mixed }, (_, n) => installation.mixedUrl(n)));
  const values: number[] = [];
  const costs = [];
  // The first round stores the pages and is not measured.
  for (let round = 0; round <= rounds; round += 1) {
    const { seconds, cost } = await cadre.retrain(agentId, round + 1);
    if (round === 0) continue;
    costs.push(cost);
    values.push(mixed / seconds);
  }
  const note = `${mixed} pages of 1 to 80 kB; ${costNote(costs, mixed)}`;
  return [{ what: 'retrain of mixed pages', unit: 'pages per second', who: 'Cadre', values, note }];
}
