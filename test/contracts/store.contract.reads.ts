import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import type { SourceType } from '../../core/knowledge/sources/source-types.js';
import type { PageRequest } from '../../core/ports/store/pages.js';
import type { StoreTest } from './store.contract.js';
import {
  contentOf,
  documentOf,
  filePath,
  idsOf,
  jobWith,
  NOW,
  pageOf,
  type Subject,
  taskWith,
} from './store.contract.subject.js';

/** Returns the ids of a list, page by page; a page may have one row more than `limit`. */
async function walk(
  read: (page: PageRequest) => Promise<{ id: string | number }[]>,
  limit: number,
): Promise<{ ids: (string | number)[]; sizes: number[] }> {
  const ids: (string | number)[] = [];
  const sizes: number[] = [];
  for (let before: string | null = null; ; ) {
    const rows = await read({ limit, before });
    sizes.push(rows.length);
    ids.push(...rows.slice(0, limit).map(({ id }) => id));
    if (rows.length <= limit) return { ids, sizes };
    before = String(ids.at(-1));
  }
}

const filled = (s: Subject, agentId: string, documents: number) =>
  s.turn(agentId, async (turn) => {
    const rows = Array.from({ length: documents }, (_, n) =>
      n % 2 === 0 ? documentOf(turn.agent) : pageOf(turn.agent, `https://a.example/${n}`),
    );
    for (const row of rows) await turn.documents.insert(row, contentOf('Text.'));
    return rows;
  });

export function describeAgentReads(test: StoreTest): void {
  test('an agent is only visible in its own workspace', async (s) => {
    const agentId = await s.newAgent();
    const other = await s.newWorkspace();
    assert.equal((await s.store.reads.agent(s.workspaceId, agentId))?.id, agentId);
    assert.equal(await s.store.reads.agent(other, agentId), null);
    assert.equal(await s.store.reads.agent(s.workspaceId, uuidv7()), null);
    const { reads } = s.store;
    const page = { limit: 10, before: null };
    const state = await s.seen(agentId);
    assert.deepEqual(await reads.agentWithSettings(s.workspaceId, agentId), { agent: state, settings: {} });
    assert.deepEqual(await reads.training(s.workspaceId, agentId), {
      ...{ lastTrainedAt: null, documentCount: 0, activeJob: null },
    });
    for (const type of [null, 'web_crawl'] as const)
      assert.deepEqual(await reads.sources(s.workspaceId, agentId, page, type), { rows: [], total: 0 });
    for (const [workspaceId, id] of [
      [other, agentId],
      [s.workspaceId, uuidv7()],
    ] as const) {
      assert.equal(await reads.agentWithSettings(workspaceId, id), null);
      assert.equal(await reads.training(workspaceId, id), null);
      assert.equal(await reads.sources(workspaceId, id, page, null), null);
      assert.equal(await reads.sources(workspaceId, id, page, 'web_crawl'), null);
    }
  });

  test('lists come newest first, with one extra row if more follow', async (s) => {
    const agents = [await s.newAgent(), await s.newAgent(), await s.newAgent()];
    await s.newAgent(await s.newWorkspace());
    const [agentId] = agents as [string];
    const documents = await filled(s, agentId, 5);
    const jobs = await s.turn(agentId, async (turn) => [
      await turn.jobs.insert(jobWith(), []),
      await turn.jobs.insert(jobWith(), []),
    ]);
    const { reads } = s.beside;
    const newest = <T>(rows: T[]) => [...rows].reverse();
    const sources = async (page: PageRequest, type: SourceType | null) => {
      const found = await reads.sources(s.workspaceId, agentId, page, type);
      assert.equal(found?.total, type === null ? 5 : 2);
      return found.rows;
    };
    assert.deepEqual(await walk((page) => reads.agents(s.workspaceId, page), 2), {
      ids: newest(agents),
      sizes: [3, 1],
    });
    assert.deepEqual(await walk((page) => sources(page, null), 2), {
      ids: newest(idsOf(documents)),
      sizes: [3, 3, 1],
    });
    const pages = idsOf(documents.filter(({ sourceType }) => sourceType === 'web_crawl'));
    assert.deepEqual(await walk((page) => sources(page, 'web_crawl'), 2), {
      ids: newest(pages),
      sizes: [2],
    });
    assert.deepEqual(await walk((page) => reads.jobs(agentId, page), 2), {
      ids: newest(jobs.map(({ id }) => id)),
      sizes: [2],
    });
  });

  test('concurrent lists of many agents are correct for each agent', async (s) => {
    const theirs = await s.newWorkspace();
    const agents = [];
    for (let n = 0; n < 12; n += 1) {
      const id = await s.newAgent();
      agents.push({ id, documents: idsOf(await filled(s, id, n)) });
    }
    const page = { limit: 3, before: null };
    const found = await Promise.all(
      agents.flatMap(({ id }) => [
        s.store.reads.sources(s.workspaceId, id, page, null),
        s.store.reads.sources(theirs, id, page, null),
      ]),
    );
    for (const [n, { documents }] of agents.entries()) {
      const own = found[2 * n];
      assert.deepEqual(own && { ids: idsOf(own.rows), total: own.total }, {
        ids: [...documents].reverse().slice(0, 4),
        total: n,
      });
      assert.equal(found[2 * n + 1], null);
    }
  });

  test('documents, contents, jobs and uploads are only visible to their own agent', async (s) => {
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const [document] = await filled(s, agentId, 1);
    const path = filePath(agentId, 'a.txt');
    const job = await s.turn(agentId, async (turn) => {
      await turn.uploads.insert([{ storagePath: path, fileName: 'a.txt', issuedAt: NOW }]);
      return turn.jobs.insert(jobWith(), [taskWith()]);
    });
    const { reads } = s.beside;
    const documentId = document?.id ?? '';
    const all = async (id: string) => [
      await reads.document(id, documentId),
      await reads.content(id, documentId),
      await reads.contentPart(id, documentId, 0, 1),
      await reads.job(id, job.id),
      await reads.jobProgress(id, job.id),
      await reads.upload(id, path),
      (await reads.excerpts(id, [{ documentId, first: 0, last: 0 }]))[0],
    ];
    assert.ok((await all(agentId)).every((found) => found !== null));
    assert.ok((await all(other)).every((found) => found === null));
  });

  test('a job is read with its first hundred tasks; its progress counts all of them', async (s) => {
    const agentId = await s.newAgent();
    const statuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
    const tasks = Array.from({ length: 104 }, (_, n) => taskWith({ status: statuses[n] ?? 'pending' }));
    const job = await s.turn(agentId, (turn) =>
      turn.jobs.insert(
        jobWith({
          status: 'running',
          tasksCount: 110,
          tasksEnded: 3,
          tasksFailed: 1,
          tasksToCome: 6,
          openedUpTo: 'x',
        }),
        tasks,
      ),
    );
    const { reads } = s.beside;
    const found = await reads.job(agentId, job.id);
    assert.deepEqual(found?.job, job);
    assert.deepEqual(idsOf(found?.tasks ?? []), idsOf(tasks.slice(0, 100)));
    assert.deepEqual(await reads.jobProgress(agentId, job.id), {
      job,
      tasks: { pending: 99, queued: 1, running: 1, completed: 1, failed: 1, cancelled: 1 },
    });
    assert.equal(await reads.job(agentId, job.id + 1), null);
    assert.equal(await reads.jobProgress(agentId, job.id + 1), null);
  });

  test('a job without tasks is read', async (s) => {
    const agentId = await s.newAgent();
    const job = await s.turn(agentId, (turn) => turn.jobs.insert(jobWith({ tasksCount: 0 }), []));
    assert.deepEqual(await s.beside.reads.job(agentId, job.id), { job, tasks: [] });
  });

  test('tasks of a job are read by state, in order of ids, one more than requested', async (s) => {
    const agentId = await s.newAgent();
    const tasks = Array.from({ length: 6 }, (_, n) =>
      taskWith({ status: n % 3 === 0 ? 'failed' : 'pending' }),
    );
    const job = await s.turn(agentId, (turn) => turn.jobs.insert(jobWith(), tasks));
    const ids = idsOf(tasks);
    const { reads, operations } = s.beside;
    assert.deepEqual(idsOf(await reads.tasks(job.id, null, { limit: 2, after: null })), ids.slice(0, 3));
    assert.deepEqual(
      idsOf(await reads.tasks(job.id, null, { limit: 10, after: ids[1] ?? '' })),
      ids.slice(2),
    );
    const failed = await operations.tasks(job.id, ['failed'], { limit: 10, after: null });
    assert.deepEqual(idsOf(failed), [ids[0], ids[3]]);
    const both = await reads.tasks(job.id, ['failed', 'pending', 'running'], {
      limit: 10,
      after: ids[0] ?? '',
    });
    assert.deepEqual(idsOf(both), ids.slice(1));
  });

  test('the active job is the newest that is pending or running', async (s) => {
    const agentId = await s.newAgent();
    const add = (status: 'pending' | 'running' | 'completed') =>
      s.turn(agentId, (turn) => turn.jobs.insert(jobWith({ status }), []));
    const active = async () => (await s.beside.reads.training(s.workspaceId, agentId))?.activeJob?.id;
    await add('completed');
    assert.equal(await active(), undefined);
    const running = await add('running');
    assert.equal(await active(), running.id);
    const pending = await add('pending');
    await add('completed');
    assert.equal(await active(), pending.id);
    const newer = await add('running');
    assert.equal(await active(), newer.id);
  });

  test('jobs are listed and counted by state and type', async (s) => {
    const [agentId, idle] = [await s.newAgent(), await s.newAgent()];
    const jobs = await s.turn(agentId, async (turn) => [
      await turn.jobs.insert(jobWith({ status: 'completed' }), []),
      await turn.jobs.insert(jobWith({ status: 'running', type: 'retrain' }), []),
      await turn.jobs.insert(jobWith({ status: 'pending' }), []),
    ]);
    const done = await s.turn(idle, (turn) => turn.jobs.insert(jobWith({ status: 'failed' }), []));
    const [completed, running, pending] = jobs.map(({ id }) => id) as [number, number, number];
    const { reads } = s.beside;
    const listed = async (filter: Parameters<typeof reads.countJobs>[1]) => {
      const rows = await reads.jobs(agentId, { limit: 10, before: null }, filter);
      assert.equal(await reads.countJobs(agentId, filter), rows.length);
      return rows.map(({ id }) => id);
    };
    assert.deepEqual(await listed({}), [pending, running, completed]);
    assert.deepEqual(await listed({ status: 'running' }), [running]);
    assert.deepEqual(await listed({ type: 'index_url' }), [pending, completed]);
    assert.deepEqual(await listed({ type: 'retrain', status: 'pending' }), []);
    assert.deepEqual(
      await reads.openJobs([completed, running, pending, done.id]),
      new Set([running, pending]),
    );
    assert.deepEqual(await reads.openJobs([]), new Set());
    assert.deepEqual(await reads.agentsInTraining([agentId, idle, uuidv7()]), new Set([agentId]));
    assert.deepEqual(await reads.agentsInTraining([]), new Set());
  });

  test('excerpts are in the order of the ranges; null for missing ones', async (s) => {
    const agentId = await s.newAgent();
    const title = 'Herons \u{1F600}';
    const text = Array.from(
      { length: 40 },
      (_, n) => `Paragraph ${n} \u{1F600} ${'words '.repeat(60)}.`,
    ).join('\n\n');
    const content = contentOf(text, title);
    const document = documentOf({ id: agentId, workspaceId: s.workspaceId }, { title });
    await s.turn(agentId, (turn) => turn.documents.insert(document, content));
    const points = [...text];
    const last = content.chunks.length - 1;
    assert.ok(last >= 2);
    const documentId = document.id;
    const ranges = [
      { documentId, first: 1, last },
      { documentId: uuidv7(), first: 0, last: 0 },
      { documentId, first: 0, last: 0 },
      { documentId, first: 0, last: last + 1 },
    ];
    const [tail, gone, head, beyond] = await s.beside.reads.excerpts(agentId, ranges);
    assert.deepEqual([gone, beyond], [null, null]);
    const [first, second, end] = [content.chunks[0], content.chunks[1], content.chunks[last]];
    assert.deepEqual(head, {
      ...ranges[2],
      sourceType: 'text_snippet',
      title,
      url: null,
      version: 1,
      start: first?.at,
      end: (first?.at ?? 0) + (first?.size ?? 0),
      text: points.slice(first?.at, (first?.at ?? 0) + (first?.size ?? 0)).join(''),
      headings: first?.headings,
      isLast: false,
    });
    assert.equal(tail?.isLast, true);
    assert.equal(tail?.text, points.slice(second?.at, (end?.at ?? 0) + (end?.size ?? 0)).join(''));
    assert.deepEqual(await s.beside.reads.excerpts(agentId, []), []);
    assert.deepEqual(await s.beside.reads.knowledge(agentId), {
      id: agentId,
      knowledgeVersion: 1,
      removals: 0,
    });
    assert.equal(await s.beside.reads.knowledge(uuidv7()), null);
  });
}
