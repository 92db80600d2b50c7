import type { Test } from 'tap';
import type { SucceededEvent } from '../../core/actors/agent/messages.js';
import type { SiteReading } from '../../core/ports/store/agents/sites.js';
import type { JobRow } from '../../core/ports/store/rows.js';
import { readIndexed } from '../../core/retrieval/index-text.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { TaskMessage } from '../../core/tasks/wire.js';
import { readSitePage } from '../../workers/crawl/read-site-page.task.js';
import { crawledSite, crawlerOf, DOCS, never, noThreads } from '../workers/crawl/local-site.js';
import { type ActorsUnderTest, actors, eventBase } from './agents.js';
import type { ScriptedSite } from './scripted-site.js';
import { someone } from './someone.js';

type SiteRules = { depth?: number; limit?: number; include?: string[]; exclude?: string[] };

/** A site, and an agent that reads it with the worker's code in this process. */
export interface SiteReadings {
  world: ActorsUnderTest;
  site: ScriptedSite;
  /** Adds the site. Returns its id and the unfinished job. */
  add(rules?: SiteRules, url?: string): Promise<{ siteId: string; job: JobRow }>;
  refresh(siteId: string, confirm?: boolean): Promise<Reading>;
  /** Works until the job ends. `onFetched`: called after each page; false stops the work. */
  work(jobId: number, onFetched?: () => Promise<boolean>): Promise<Reading>;
  /** Returns the paths of the stored pages. */
  stored(): Promise<string[]>;
}

export interface Reading extends SiteReading {
  job: JobRow;
  reasons: Record<string, number>;
}

/** Rounds without progress after which the work has stalled. */
const IDLE_ROUNDS = 200;

/** `stepMs`: time that passes while no task is due. `workers`: number of workers, which take pages in turn. */
export async function siteReadings(
  t: Test,
  {
    storageBytes = 10_000_000,
    siteDelayMs = 0,
    stepMs = 60_000,
    workers = 1,
    ...deps
  }: { storageBytes?: number; siteDelayMs?: number; stepMs?: number; workers?: number } & Parameters<
    typeof crawledSite
  >[2] = {},
): Promise<SiteReadings> {
  const world = await actors(t, {
    window: 8,
    storageBytes,
    siteDelayMs,
  });
  const { agents, agentId, store, sent } = world;
  const crawlDeps = { threads: noThreads, clock: { now: world.now }, ...deps };
  const { site, crawler } = await crawledSite(t, { perHostConcurrency: 8 }, crawlDeps);
  const crawlers = [crawler];
  while (crawlers.length < workers) {
    const more = crawlerOf({ perHostConcurrency: 8, resolve: { [DOCS]: site.origin } }, crawlDeps);
    t.teardown(more.close);
    crawlers.push(more);
  }

  async function fetched(message: TaskMessage): Promise<void> {
    if (message.type !== 'read_site_page') throw new Error(`no page of a site: ${message.type}`);
    const base = eventBase(message);
    const next = crawlers.shift() ?? crawler;
    crawlers.push(next);
    try {
      const outcome = await next.run(readSitePage, message.payload, someone, never);
      if (outcome.kind !== 'extracted') throw new Error('a page of a site has no extraction');
      const { extraction, contentHash } = outcome;
      const indexed = readIndexed(extraction);
      if (!indexed) throw new Error('the text has no index');
      const { title, metadata, isInterstitial = false, visit } = extraction;
      const event: SucceededEvent = {
        ...base,
        ...{ kind: 'succeeded', ref: null },
        outcome: {
          ...{ kind: 'extracted', contentHash },
          extraction: { title, metadata, isInterstitial, ...indexed, ...(visit ? { visit } : {}) },
        },
      };
      await agents.send(agentId, { kind: 'taskSucceeded', event });
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      const event = { ...base, kind: 'failed' as const, failure: error.failure };
      await agents.send(agentId, { kind: 'taskFailed', event });
    }
  }

  const readingOf = async (jobId: number): Promise<Reading> => {
    const found = await store.reads.job(agentId, jobId);
    const reading = await store.sites.reading(jobId);
    if (!found || !reading) throw new Error(`job ${jobId} is missing`);
    const reasons = Object.fromEntries(reading.skipped.map(({ reason, count }) => [reason, count]));
    return { ...reading, job: found.job, reasons };
  };

  const work: SiteReadings['work'] = async (jobId, onFetched = async () => true) => {
    for (let idle = 0; idle < IDLE_ROUNDS; ) {
      const reading = await readingOf(jobId);
      if (reading.job.finishedAt !== null) return reading;
      const messages = sent.splice(0);
      idle = messages.length === 0 ? idle + 1 : 0;
      for (const message of messages) {
        await fetched(message);
        if (!(await onFetched())) return readingOf(jobId);
      }
      if (messages.length > 0) continue;
      for (const open of await store.tasks.jobsToOpen(10))
        await agents.send(open.agentId, { kind: 'openTasks', jobId: open.jobId });
      world.pass(stepMs);
      await agents.send(agentId, { kind: 'admit', places: 8 });
    }
    throw new Error(`job ${jobId} has stalled`);
  };

  return {
    world,
    site,
    work,
    async add({ depth = 2, limit = 100, include = [], exclude = [] } = {}, url = `${DOCS}/`) {
      const rules = { depth, limit, include, exclude };
      const reply = await agents.send(agentId, { kind: 'indexSite', url, rules, requestId: 'r' });
      return { siteId: reply.site.id, job: reply.job };
    },
    async refresh(siteId, confirm = false) {
      const { job } = await agents.send(agentId, { kind: 'refreshSite', siteId, confirm, requestId: 'r' });
      return work(job.id);
    },
    async stored() {
      const state = await world.state();
      const { rows } = (await store.reads.sources(
        world.workspaceId,
        agentId,
        { limit: state.documents.web_crawl + 1, before: null },
        'web_crawl',
      )) ?? { rows: [] };
      return rows.map(({ metadata }) => String(metadata.url).slice(DOCS.length)).sort();
    },
  };
}

/** Names of pages. */
export const letters = [...'abcdefghij'];

export const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** A page with links. */
export const linkedPage = (title: string, links: readonly string[] = [], head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
    <p>${title} explains how this part of the product works in detail.</p>
    ${links.map((href) => `<p><a href="${href}">More about it</a></p>`).join('\n')}</main></body></html>`;
