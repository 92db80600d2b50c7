import type { Client } from '../../test/support/flows.js';
import { until } from '../../test/support/until.js';
import { agentWithPages } from './big-jobs.js';
import { type Installation, otherOrigin, siteOrigin } from './installation.js';

const BIG_PAGES = 5000;
const PAGE_MS = 500;
const DEADLINE_MS = 120_000;
/** Time until all slots of the worker are taken. */
const FULL_VISITS = 12;

/**
 * Milliseconds from accepting a single page until it is fetched, while the only worker is busy with 5,000 pages of
 * another agent.
 */
export async function singlePageWaits(
  installation: Installation,
  { api, singles }: { api: Client; singles: number },
): Promise<number[]> {
  const { site, workers } = installation;
  const [, second] = workers;
  await second.stop();
  const bigAgent = await agentWithPages(installation, {
    name: 'crowd',
    pages: BIG_PAGES,
    url: (n) => `${siteOrigin}/crowd/${n}`,
  });
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'single' });
  site.pauseMs = PAGE_MS;
  const { jobId: crowd } = await api.call<{ jobId: string }>('POST', `/agents/${bigAgent}/train`);
  const visited = () =>
    Array.from({ length: BIG_PAGES }, (_, n) => site.visits(`/crowd/${n}`).length).filter(Boolean).length;
  await until('the worker to be full', () => visited() >= FULL_VISITS, DEADLINE_MS);
  const waits: number[] = [];
  for (let n = 0; n < singles; n += 1) {
    const path = `/single/${n}x`;
    const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
      url: otherOrigin + path,
    });
    const acceptedAt = Date.now();
    const visit = await until('the single page', () => site.visits(path)[0], DEADLINE_MS);
    waits.push(Math.max(0, visit.at - acceptedAt));
    await api.jobEnd(id, jobId);
  }
  const { status } = await api.call<{ status: string }>('GET', `/agents/${bigAgent}/jobs/${crowd}`);
  if (status !== 'running') throw new Error(`the big job was ${status} before all single pages were done`);
  site.pauseMs = 20;
  await api.call('DELETE', `/agents/${bigAgent}`);
  await api.call('DELETE', `/agents/${id}`);
  await second.start();
  return waits;
}
