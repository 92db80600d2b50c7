import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import type { NewApiKey, NewWorkspace } from '../../core/ports/store/workspaces.js';
import { unlimitedRights } from '../../core/workspaces/new-key.js';
import type { StoreTest } from './store.contract.js';
import { idsOf, jobWith, NOW, NOW_MS, taskWith } from './store.contract.subject.js';

const newWorkspace = (): NewWorkspace => ({
  id: uuidv7(),
  name: 'Ärger & Söhne',
  plan: 'free',
  overrides: { limits: { agents: 3 } },
  createdAt: NOW,
});

const keyOf = (workspaceId: string, hash: string): NewApiKey => ({
  id: uuidv7(),
  workspaceId,
  name: 'first',
  hint: 'ck_…abcd',
  createdBy: null,
  hash,
  createdAt: NOW,
  ...unlimitedRights,
});

export function describeWorkspaces(test: StoreTest): void {
  test('the first workspace is created once, and only if there is none', async (s) => {
    const workspace = newWorkspace();
    assert.equal(await s.store.workspaces.createFirst(workspace, keyOf(workspace.id, 'hash-1')), false);
    assert.equal(await s.beside.workspaces.find(workspace.id), null);
    assert.equal(await s.beside.workspaces.findByKeyHash('hash-1'), null);
  });

  test('a workspace is stored as given and listed by id', async (s) => {
    const workspace = newWorkspace();
    await s.store.workspaces.create(workspace);
    assert.deepEqual(await s.beside.workspaces.find(workspace.id), {
      ...workspace,
      timeZone: null,
      requireTwoFactor: false,
      agents: 0,
      storageBytes: 0,
    });
    assert.deepEqual(idsOf(await s.beside.workspaces.list()), [s.workspaceId, workspace.id]);
    assert.equal(await s.beside.workspaces.find(uuidv7()), null);
  });

  test('concurrent changes of one workspace are serialised', async (s) => {
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 ? s.store : s.beside).workspaces.update(s.workspaceId, ({ overrides }) => ({
          overrides: { limits: { agents: (overrides.limits?.agents ?? 0) + 1 } },
        })),
      ),
    );
    assert.equal((await s.workspace()).overrides.limits?.agents, 12);
    assert.equal(await s.store.workspaces.update(s.workspaceId, () => ({ plan: 'free' })), true);
    const { plan, overrides } = await s.workspace();
    assert.deepEqual([plan, overrides.limits?.agents], ['free', 12]);
    assert.equal(await s.store.workspaces.update(uuidv7(), () => ({ plan: 'free' })), false);
  });

  test('a change that throws changes nothing', async (s) => {
    const refuse = () => {
      throw new Error('refused');
    };
    await assert.rejects(s.store.workspaces.update(s.workspaceId, refuse), { message: 'refused' });
    assert.equal((await s.workspace()).plan, 'business');
  });

  test('a key belongs to its workspace until it is revoked', async (s) => {
    const other = await s.newWorkspace();
    const key = keyOf(s.workspaceId, 'hash-1');
    const { hash, ...listed } = key;
    await s.store.workspaces.addKey(key, 100);
    await s.store.workspaces.addKey(keyOf(other, 'hash-2'), 100);
    const { workspaces } = s.beside;
    const found = { key: { id: key.id, name: key.name, ...unlimitedRights }, workspace: await s.workspace() };
    assert.deepEqual(await workspaces.findByKeyHash(hash), found);
    assert.equal(await workspaces.findByKeyHash('hash-3'), null);
    await s.store.workspaces.touchKeys([key.id, uuidv7()], NOW + 1);
    await s.store.workspaces.touchKeys([], NOW + 9);
    assert.deepEqual(await workspaces.keys(s.workspaceId), [
      { ...listed, lastUsedAt: NOW + 1, revokedAt: null },
    ]);

    assert.equal(await s.store.workspaces.revokeKey(other, key.id, NOW + 2), false);
    assert.ok(await workspaces.findByKeyHash(hash));
    assert.equal(await s.store.workspaces.revokeKey(s.workspaceId, key.id, NOW + 2), true);
    assert.equal(await s.store.workspaces.revokeKey(s.workspaceId, key.id, NOW + 3), true);
    assert.equal(await workspaces.findByKeyHash(hash), null);
    assert.equal((await workspaces.keys(s.workspaceId))[0]?.revokedAt, NOW + 2);
  });
}

/** The operator's view of all agents. */
export function describeOperations(test: StoreTest): void {
  test('jobs of the installation are filtered, newest first, at most as many as requested', async (s) => {
    const other = await s.newWorkspace();
    const [agentId, stranger] = [await s.newAgent(), await s.newAgent(other)];
    const add = (of: string, job: Parameters<typeof jobWith>[0] = {}) =>
      s.turn(of, async (turn) => (await turn.jobs.insert(jobWith(job), [])).id);
    const first = await add(agentId, { status: 'completed', createdAt: NOW - 9 });
    const second = await add(stranger);
    const third = await add(agentId);
    const { operations } = s.beside;
    const jobs = async (
      filter: Parameters<typeof operations.jobs>[0],
      limit = 10,
      before: string | null = null,
    ) => (await operations.jobs(filter, { limit, before })).map(({ id }) => id);
    assert.deepEqual(await jobs({}), [third, second, first]);
    assert.deepEqual(await jobs({}, 2), [third, second]);
    assert.deepEqual(await jobs({}, 2, String(second)), [first]);
    assert.deepEqual(await jobs({ status: 'pending' }), [third, second]);
    assert.deepEqual(await jobs({ agentId }), [third, first]);
    assert.deepEqual(await jobs({ workspaceId: other }), [second]);
    assert.deepEqual(await jobs({ createdBefore: NOW }), [first]);
    assert.deepEqual(await operations.agentIds(), [agentId, stranger].sort());
    assert.equal((await operations.agent(stranger))?.id, stranger);
    assert.equal(await operations.agent(uuidv7()), null);
    assert.equal(await operations.job(third + 1), null);
  });

  test('dead letters are failed tasks whose worker crashed, newest first, at most as many as requested', async (s) => {
    const crashed = () =>
      taskWith({ status: 'failed', attempts: 4, error: { code: 'WORKER_CRASHED', message: 'It crashed.' } });
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const [first, second, third] = [crashed(), crashed(), crashed()];
    const slow = taskWith({ status: 'failed', error: { code: 'FETCH_TIMEOUT', message: 'Too slow.' } });
    const retried = taskWith({ error: { code: 'WORKER_CRASHED', message: 'It crashed.' } });
    const job = await s.turn(agentId, (turn) =>
      turn.jobs.insert(jobWith({ requestId: 'r-1' }), [first, slow, second, retried]),
    );
    await s.turn(other, (turn) => turn.jobs.insert(jobWith({ requestId: 'r-2' }), [third]));
    const { operations } = s.beside;
    const letters = async (
      filter: Parameters<typeof operations.deadLetters>[0],
      limit = 10,
      before: string | null = null,
    ) => idsOf(await operations.deadLetters(filter, { limit, before }));
    assert.deepEqual(await letters({}), [third.id, second.id, first.id]);
    assert.deepEqual(await letters({}, 2), [third.id, second.id]);
    assert.deepEqual(await letters({}, 2, second.id), [first.id]);
    assert.deepEqual(await letters({ agentId }), [second.id, first.id]);
    assert.deepEqual(await letters({ jobId: job.id }), [second.id, first.id]);
    const [letter] = await operations.deadLetters({ jobId: job.id }, { limit: 1, before: null });
    assert.deepEqual(letter, { ...second, jobId: job.id, agentId, workspaceId: s.workspaceId });
    assert.deepEqual(await operations.jobsOfRequests(agentId, ['r-1', 'r-2']), new Map([['r-1', job.id]]));
    assert.deepEqual(await operations.jobsOfRequests(agentId, []), new Map());
  });

  test('open jobs and tasks are counted by state', async (s) => {
    const agentId = await s.newAgent();
    await s.turn(agentId, async (turn) => {
      await turn.jobs.insert(jobWith({ status: 'running' }), [
        taskWith({ status: 'queued' }),
        taskWith({ status: 'running' }),
        taskWith(),
        taskWith(),
        taskWith({ status: 'completed' }),
      ]);
      await turn.jobs.insert(jobWith({ status: 'completed' }), []);
    });
    assert.deepEqual(await s.beside.operations.backlog(), {
      jobs: { running: 1 },
      tasks: { queued: 1, running: 1, pending: 2 },
      oldestJobAt: null,
      unpublished: 1,
      oldestUnpublishedAtMs: NOW_MS,
    });
  });

  test('two processes share one secret, one schema and one clock', async (s) => {
    const [secret, same] = await Promise.all([s.store.secret(), s.beside.secret()]);
    assert.deepEqual(same, secret);
    assert.ok(secret.length >= 16);
    assert.deepEqual([await s.store.pending(), await s.beside.migrate()], [[], []]);
    assert.ok(Math.abs((await s.store.now()) - (await s.beside.now())) < 60_000);
    assert.deepEqual(await s.store.health(), { ok: true });
  });
}
