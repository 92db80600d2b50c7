import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../test/support/flows.js';
import { until } from '../../test/support/until.js';
import { type Installation, soloOrigins } from './installation.js';
import type { Slot } from './slot.js';

/** How a worker is lost: it is killed, it hangs, or it loses the broker. */
export type Loss = 'killed' | 'hung' | 'cut off';

const DEADLINE_MS = 90_000;
const BETWEEN_MS = 500;

const strike: Record<Loss, (slot: Slot) => Promise<void>> = {
  killed: (slot) => slot.kill(),
  hung: async (slot) => slot.hang(),
  'cut off': async (slot) => slot.proxies.queue?.freeze(),
};

const heal: Record<Loss, (slot: Slot) => Promise<void>> = {
  killed: (slot) => slot.start(),
  hung: async (slot) => {
    await slot.kill();
    await slot.start();
  },
  'cut off': async (slot) => slot.proxies.queue?.restore(),
};

/** Milliseconds from the loss of a worker until another one fetches its pages, by page. No other load runs. */
export async function recoveryTimes(
  { site, workers, userAgent }: Installation,
  { api, loss, rounds }: { api: Client; loss: Loss; rounds: number },
): Promise<number[]> {
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: `Recovery of ${loss}` });
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const prefix = `/${loss.replace(' ', '-')}-${round}-`;
    const paths = soloOrigins.map((_, n) => `${prefix}${n}x`);
    site.hold(prefix);
    const jobs = await Promise.all(
      paths.map((path, n) =>
        api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, { url: `${soloOrigins[n]}${path}` }),
      ),
    );
    await until('all pages to be asked for', () => paths.every((path) => site.visits(path).length > 0));
    const victim = workers.find((slot) => site.visits(paths[0] ?? '').at(-1)?.userAgent === userAgent(slot));
    if (victim === undefined) throw new Error('nobody took the page');
    const lost = paths.filter((path) => site.visits(path).at(-1)?.userAgent === userAgent(victim));
    const struckAt = Date.now();
    await strike[loss](victim);
    for (const path of lost) {
      const again = await until(
        `${path} to be asked for again`,
        () => site.visits(path).find(({ at, userAgent: by }) => at >= struckAt && by !== userAgent(victim)),
        DEADLINE_MS,
      );
      times.push(again.at - struckAt);
    }
    site.release();
    await heal[loss](victim);
    for (const { jobId } of jobs) await api.jobEnd(id, jobId);
    await sleep(BETWEEN_MS);
  }
  await api.call('DELETE', `/agents/${id}`);
  return times;
}
