import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { emptyAgent } from '../../core/actors/agent/empty-agent.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import type { Job } from '../../test/support/flows.js';
import type { Caller } from './caller.js';
import type { Installation } from './installation.js';
import { isOver } from './ledger.js';

/** Creates an agent with many pages directly in the database: indexing them would take longer than the siege. */
export async function agentWithPages(
  { store, workspace }: Installation,
  { name, pages, url }: { name: string; pages: number; url: (n: number) => string },
): Promise<string> {
  const id = uuidv7();
  const createdAt = Math.floor(Date.now() / 1000);
  const content = indexText('Not yet read.');
  const bytes = Buffer.byteLength(content.text);
  await store.turns.create(
    emptyAgent({ id, workspaceId: workspace.id, name, url: null, createdAt }),
    () => 100_000,
  );
  await store.turns.run(id, null, async (turn) => {
    for (let n = 0; n < pages; n += 1) {
      await turn.documents.insert(
        {
          id: uuidv7(),
          agentId: id,
          workspaceId: workspace.id,
          sourceType: 'web_crawl',
          title: `Page ${n}`,
          bytes,
          url: url(n),
          storagePath: null,
          contentHash: createHash('sha256').update(content.text).digest('hex'),
          metadata: {},
          createdAt,
          lastCrawledAt: createdAt,
          updatedAt: createdAt,
        },
        contentUnder(`Page ${n}`, content),
      );
    }
    await turn.addStorage(pages * bytes);
  });
  return id;
}

/** The expected result of the last acknowledged retrain. */
export interface BigJobs {
  agentId: string;
  /** Jobs with the edition of the site at the time of their request. */
  jobs: { id: string; edition: number; status: string }[];
  ended: number;
}

const LOOK_MS = 1000;

/** Retrains all pages of an agent repeatedly; the site changes each time. */
export async function retrainOver(
  { site }: Installation,
  { caller, over, big, pages }: { caller: Caller; over: () => boolean; big: BigJobs; pages: number },
): Promise<void> {
  const path = `/agents/${big.agentId}`;
  while (!over()) {
    site.edition += 1;
    const { edition } = site;
    const asked = await caller.call<{ jobId: string; count: number }>('POST', `${path}/train`);
    if (asked.kind === 'refused') caller.wrong(`POST train of ${pages} pages: ${asked.status} ${asked.code}`);
    if (asked.kind === 'done') {
      if (asked.body.count !== pages)
        caller.wrong(`retrain of ${asked.body.count} pages instead of ${pages}`);
      big.jobs.push({ id: asked.body.jobId, edition, status: 'pending' });
    }
    // An unacknowledged job may also be running.
    await idle(caller, path, over);
    for (const job of big.jobs.filter(({ status }) => !isOver(status))) {
      const seen = await caller.call<Job>('GET', `${path}/jobs/${job.id}`);
      if (seen.kind === 'done') job.status = seen.body.status;
      if (isOver(job.status)) big.ended += 1;
    }
  }
}

async function idle(caller: Caller, path: string, over: () => boolean): Promise<void> {
  while (!over()) {
    await sleep(LOOK_MS);
    const status = await caller.call<{ activeJob: object | null }>('GET', `${path}/train`);
    if (status.kind === 'done' && status.body.activeJob === null) return;
  }
}
