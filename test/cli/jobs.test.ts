import { cancelJob } from '../../cli/cancel-job.js';
import { type DeadLetterFilter, deadLetters, redrive } from '../../cli/dead-letters.js';
import { retryJob } from '../../cli/retry-job.js';
import { watchJob } from '../../cli/watch-job.js';
import { loadPlans } from '../../config/load-plans.js';
import { loadSettings } from '../../config/load-settings.js';
import { systemClock } from '../../core/ports/clock.port.js';
import type { Operations } from '../../core/ports/store/operations.js';
import { documentsOf } from '../contracts/documents.js';
import { type ActorsUnderTest, actors, said } from '../support/agents.js';
import t from '../support/t.js';

/* `jobs retry` and `jobs watch` on a store, in this process. */

const installation = ({ store, folder }: ActorsUnderTest) => ({
  store,
  plans: loadPlans(),
  settings: loadSettings({ env: { DATA_DIR: folder }, cwd: folder }),
  clock: systemClock,
});

const addUrl = (path: string) => ({
  kind: 'indexUrl' as const,
  url: `https://a.example/${path}`,
  requestId: 'r',
});

/** Retries a job in its current state. */
async function retry(world: ActorsUnderTest, jobId: number) {
  const found = await world.store.operations.job(jobId);
  if (!found) throw new Error(`no job ${jobId}`);
  return retryJob(installation(world), found.job);
}

async function failNext({ agents, agentId, sent }: ActorsUnderTest): Promise<void> {
  const message = sent.shift();
  if (!message) throw new Error('a task was expected');
  await agents.send(agentId, said.failed(message, 'give-up'));
}

t.test('a failed file must be uploaded again and cannot be retried', async (t) => {
  const world = await actors(t);
  const { agents, agentId } = world;
  const path = `${agentId}/report.pdf`;
  await agents.send(agentId, {
    kind: 'issueUploads',
    uploads: [{ storagePath: path, fileName: 'report.pdf' }],
  });
  const file = { storagePath: path, fileName: 'report.pdf', bytes: 10, etag: 'e' };
  const { job } = await agents.send(agentId, {
    kind: 'indexFiles',
    unique: false,
    files: [file],
    requestId: 'r',
  });
  await failNext(world);
  await t.rejects(retry(world, job.id), {
    code: 'NOTHING_TO_RETRY',
    message: /upload it again/,
  });
});

t.test(
  'retrying a retrain skips pages whose source was deleted, and runs the others in one job',
  async (t) => {
    const world = await actors(t);
    const { agents, agentId, sent, store, workspaceId } = world;
    for (const page of ['kept', 'deleted']) {
      await agents.send(agentId, addUrl(page));
      const message = sent.shift();
      if (message) await agents.send(agentId, said.succeeded(message, `text of ${page}`));
    }
    const { job } = await agents.send(agentId, { kind: 'retrain', requestId: 'r' });
    if (!job) throw new Error('a job was expected');
    await failNext(world);
    await failNext(world);
    const documents = await documentsOf(store, agentId);
    const document = documents.find(({ url }) => url?.endsWith('/deleted'));
    if (!document) throw new Error('a document was expected');
    await agents.send(agentId, { kind: 'deleteDocument', documentId: document.id });

    const { jobIds } = await retry(world, job.id);
    t.equal(jobIds.length, 1);
    const made = await store.operations.job(Number(jobIds[0]));
    t.match(made, { job: { isRetrain: true, workspaceId }, tasks: [{ target: 'https://a.example/kept' }] });
  },
);

t.test(
  'a retry respects the plan: no video without transcription, nothing above the storage allowance',
  async (t) => {
    const world = await actors(t);
    const { agents, agentId, sent, store, workspaceId } = world;
    const video = { kind: 'indexUrl' as const, url: 'https://www.youtube.com/watch?v=1', requestId: 'r' };
    const { job: videoJob } = await agents.send(agentId, video);
    const { job: pageJob } = await agents.send(agentId, addUrl('page'));
    await failNext(world);
    await failNext(world);
    t.equal(sent.length, 0);
    await store.workspaces.update(workspaceId, () => ({
      plan: 'starter',
      overrides: { limits: { storageBytes: 0 } },
    }));
    await t.rejects(retry(world, videoJob.id), {
      code: 'NOTHING_TO_RETRY',
      message: /plan of this workspace does not include/,
    });
    await t.rejects(retry(world, pageJob.id), { code: 'NOTHING_TO_RETRY', message: /storage/i });
  },
);

t.test('jobs of a deleted agent, or without failures, have nothing to retry', async (t) => {
  const world = await actors(t);
  const { agents, agentId } = world;
  const { job } = await agents.send(agentId, addUrl('page'));
  await t.rejects(retry(world, job.id), { code: 'NOTHING_TO_RETRY', message: /has not ended/ });
  await failNext(world);
  const failed = await world.store.operations.job(job.id);
  await agents.send(agentId, { kind: 'delete' });
  // The command had found the job just before.
  await t.rejects(retryJob(installation(world), failed?.job ?? job), {
    code: 'NOTHING_TO_RETRY',
    message: /agent was deleted/,
  });
});

t.test('watch prints each change once and ends with the job', async (t) => {
  const world = await actors(t);
  const { agents, agentId, sent, store } = world;
  const { job } = await agents.send(agentId, addUrl('page'));
  const message = sent.shift();
  if (!message) throw new Error('a task was expected');
  let looks = 0;
  const operations: Operations = {
    ...store.operations,
    async jobs(filter, page) {
      looks += 1;
      // Between the changes it polls twice without a change.
      if (looks === 2) await agents.send(agentId, said.started(message));
      if (looks === 4) await agents.send(agentId, said.succeeded(message, 'text'));
      return store.operations.jobs(filter, page);
    },
  };
  const notes: string[] = [];
  await watchJob(operations, job, { json: false, result() {}, piece() {}, note: (text) => notes.push(text) });
  t.match(notes, [/pending: 0 of 1/, /running: 0 of 1/, /completed: 1 of 1 tasks ended, 0 failed/]);
  t.equal(notes.length, 3, 'each of them once');
});

const listed = (world: ActorsUnderTest, filter: DeadLetterFilter = {}) =>
  deadLetters(installation(world), filter, { limit: 10, before: null });

t.test('lists dead letters and redrives them once; files must be uploaded again', async (t) => {
  const world = await actors(t, { maxAttempts: 4, window: 10 });
  const { agents, agentId, sent, pass, store } = world;
  const path = `${agentId}/poison.pdf`;
  await agents.send(agentId, {
    kind: 'issueUploads',
    uploads: [{ storagePath: path, fileName: 'poison.pdf' }],
  });
  const file = { storagePath: path, fileName: 'poison.pdf', bytes: 10, etag: 'e' };
  await agents.send(agentId, { kind: 'indexFiles', unique: false, files: [file], requestId: 'r' });
  const { job } = await agents.send(agentId, addUrl('poison'));
  await agents.send(agentId, addUrl('fails otherwise'));
  for (const message of sent.splice(0)) {
    const poison = !('url' in message.payload) || message.payload.url.endsWith('/poison');
    await agents.send(agentId, poison ? said.dead(message) : said.failed(message, 'give-up'));
  }
  t.same(await listed(world), [], 'the first one only costs an attempt');
  pass(10_001);
  await agents.send(agentId, { kind: 'admit', places: 10 });
  for (const message of sent.splice(0)) await agents.send(agentId, said.dead(message));

  const found = await listed(world);
  t.same(found.map(({ task }) => task.target).sort(), ['https://a.example/poison', 'poison.pdf']);
  t.same((await listed(world, { jobId: job.id })).length, 1);
  const { jobIds, refused } = await redrive(installation(world), {});
  t.equal(jobIds.length, 1);
  t.match(refused, [{ target: 'poison.pdf', reason: /upload it again/ }]);
  t.match((await store.operations.job(Number(jobIds[0])))?.tasks, [{ target: 'https://a.example/poison' }]);

  const again = await listed(world, { jobId: job.id });
  t.match(again, [{ redrivenAs: jobIds[0] }]);
  await t.rejects(redrive(installation(world), { jobId: job.id }), {
    code: 'NOTHING_TO_RETRY',
    message: /already been redriven/,
  });
});

t.test('cancels a job from the command line; a job of a deleted agent is not found', async (t) => {
  const world = await actors(t);
  const { agents, agentId, store } = world;
  const { job } = await agents.send(agentId, addUrl('page'));
  t.match(await cancelJob(installation(world), job), { id: job.id, status: 'cancelled', finishedAt: Number });
  t.match(await store.operations.job(job.id), { tasks: [{ status: 'cancelled' }] });
  await agents.send(agentId, { kind: 'delete' });
  await t.rejects(cancelJob(installation(world), job), { code: 'JOB_NOT_FOUND' });
});
