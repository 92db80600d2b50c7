import { ownEvents, ownTasks } from '../../../core/jobs/foreign-messages.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskEvent, WIRE_VERSION } from '../../../core/tasks/wire.js';
import {
  adoptStorage,
  checkStorageClaim,
  claimStorage,
  OWNER,
} from '../../../core/workspaces/installation-claim.js';
import { pageTask } from '../../contracts/queue.contract.js';
import t from '../../support/t.js';

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];

function objects() {
  const kept = new Map<string, Buffer>();
  return {
    kept,
    get: async (path: string) => kept.get(path) ?? null,
    put: async (path: string, bytes: Uint8Array) => void kept.set(path, Buffer.from(bytes)),
    delete: async (path: string) => void kept.delete(path),
  };
}

t.test('the first installation has the storage, until another one adopts it', async (t) => {
  const storage = objects();
  for (let n = 0; n < 2; n += 1) t.same(await claimStorage(storage, A), { ok: true });
  t.match(await claimStorage(storage, B), {
    ok: false,
    reason: /belongs to another installation \(a{12}, this one is b{12}\)\..*`npx cadre installation adopt`/,
  });
  t.same(await checkStorageClaim(storage, A), { ok: true });
  await adoptStorage(storage, B);
  t.same(await claimStorage(storage, B), { ok: true });
  t.equal((await checkStorageClaim(storage, A)).ok, false);
});

t.test('a storage that an earlier version used is claimed already', async (t) => {
  const storage = objects();
  storage.kept.set(OWNER, Buffer.from(A));
  t.equal((await claimStorage(storage, B)).ok, false);
});

t.test('an API drops and counts events of another installation', async (t) => {
  const [taken, foreign]: [TaskEvent[], number[]] = [[], []];
  const handler = ownEvents(
    A,
    { log: silentLog, onForeign: () => foreign.push(1) },
    async (event) => void taken.push(event),
  );
  const { taskId, jobId, agentId, attempt } = pageTask('x');
  const event = { v: WIRE_VERSION, taskId, jobId, agentId, attempt, worker: 'w', kind: 'alive' } as const;
  for (const more of [{ installation: A }, { installation: B }, {}]) await handler({ ...event, ...more });
  t.same(
    taken.map(({ installation }) => installation),
    [A, undefined],
  );
  t.equal(foreign.length, 1);
});

t.test('a worker turns tasks of another installation into dead letters', async (t) => {
  const storage = objects();
  const emitted: TaskEvent[] = [];
  const worked: string[] = [];
  let foreign = 0;
  const queue = { emit: async (event: TaskEvent) => void emitted.push(event) };
  const onForeign = () => {
    foreign += 1;
  };
  const handler = ownTasks(
    { storage, queue, workerName: 'w', log: silentLog, onForeign },
    async ({ taskId }) => void worked.push(taskId),
  );
  const [ofA, ofB, unnamed] = [pageTask('a'), pageTask('b'), pageTask('c')];
  await t.rejects(handler({ ...ofA, installation: A }), /no API has claimed the storage/);
  await claimStorage(storage, A);
  await handler({ ...ofA, installation: A });
  await handler({ ...ofB, installation: B });
  await handler(unnamed);
  t.same(worked, [ofA.taskId, unnamed.taskId]);
  t.match(emitted, [{ kind: 'dead', taskId: ofB.taskId, attempt: 1, installation: B, worker: 'w' }]);
  t.equal(foreign, 1);
  await adoptStorage(storage, B);
  await handler({ ...ofB, installation: B });
  t.equal(worked.at(-1), ofB.taskId, 'after an adoption it takes the tasks of the new owner');
});

t.test('a worker takes its tasks while the storage is unavailable', async (t) => {
  const storage = objects();
  await claimStorage(storage, A);
  let isAway = false;
  const get = async (path: string) => {
    if (isAway) throw new Error('away');
    return storage.get(path);
  };
  const worked: string[] = [];
  const queue = { emit: async () => undefined };
  const handler = ownTasks(
    { storage: { get }, queue, workerName: 'w', log: silentLog, onForeign: () => t.fail() },
    async ({ taskId }) => void worked.push(taskId),
  );
  await new Promise(setImmediate);
  isAway = true;
  const task = pageTask('a');
  await handler({ ...task, installation: A });
  t.same(worked, [task.taskId]);
});
