import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../test/support/flows.js';

/**
 * What the quiet tenant saw: milliseconds of each kind of request, seconds of each kind of job, and everything that
 * went wrong.
 */
export interface Seen {
  times: Record<string, number[]>;
  errors: string[];
}

export interface QuietTenant {
  api: Client;
  agentId: string;
  /** The address of a page that answers at once. */
  pageUrl(name: string): string;
  origin: string;
}

const PAUSE_MS = 20;

/**
 * Requests of a person at work, one after the other; and now and then a page and a small file, each followed to its
 * end.
 */
export async function work(tenant: QuietTenant, over: () => boolean): Promise<Seen> {
  const seen: Seen = { times: {}, errors: [] };
  const timed = async (what: string, ask: () => Promise<unknown>): Promise<void> => {
    const from = performance.now();
    try {
      await ask();
      seen.times[what] ??= [];
      seen.times[what].push(performance.now() - from);
    } catch (error) {
      seen.errors.push(`${what}: ${String(error).slice(0, 200)}`);
    }
  };
  await Promise.all([requests(tenant, timed, over), knowledge(tenant, timed, over)]);
  return seen;
}

type Timed = (what: string, ask: () => Promise<unknown>) => Promise<void>;

async function requests({ api, agentId, origin }: QuietTenant, timed: Timed, over: () => boolean) {
  const agent = `/agents/${agentId}`;
  for (let n = 0; !over(); n += 1) {
    await timed('health', () => healthy(`${origin}/api/v2/health`));
    await timed('readyz', () => healthy(`${origin}/readyz`));
    await timed('GET agent', () => api.call('GET', agent));
    await timed('GET train', () => api.call('GET', `${agent}/train`));
    await timed('list sources', () => api.call('GET', `${agent}/sources`));
    await timed('PATCH agent', () => api.call('PATCH', agent, { name: `quiet ${n}` }));
    await pause(PAUSE_MS);
  }
}

async function knowledge({ api, agentId, pageUrl }: QuietTenant, timed: Timed, over: () => boolean) {
  for (let n = 0; !over(); n += 1) {
    await timed('a text', () =>
      api.call('POST', `/agents/${agentId}/sources/text`, { title: `text ${n}`, content: 'Nine to five.' }),
    );
    await timed('a page, to its end', async () => {
      const url = pageUrl(`page-${n}`);
      const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${agentId}/sources/url`, { url });
      await completed(api, agentId, jobId);
    });
    await timed('a file, to its end', async () => {
      const bytes = Buffer.from(`Opening hours of day ${n}: nine to five`);
      const jobId = await api.addFiles(agentId, [{ fileName: `day-${n}.txt`, type: 'text/plain', bytes }]);
      await completed(api, agentId, jobId);
    });
    await pause(PAUSE_MS);
  }
}

async function healthy(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
}

async function completed(api: Client, agentId: string, jobId: string | number): Promise<void> {
  const { status, tasks } = await api.jobEnd(agentId, jobId);
  if (status !== 'completed') throw new Error(`the job ended as ${status}: ${tasks[0]?.lastError?.code}`);
}
