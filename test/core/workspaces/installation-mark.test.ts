import t from 'tap';
import { type Log, silentLog } from '../../../core/ports/log.port.js';
import { ForeignMessage } from '../../../core/ports/queue.port.js';
import { knownMarks, OWNER, SHARED, storageMarks } from '../../../core/workspaces/installation-mark.js';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

/** Objects in memory that count how often they are read, and may be away. */
function objects() {
  const kept = new Map<string, Buffer>();
  const world = {
    kept,
    away: false,
    reads: 0,
    async get(path: string) {
      world.reads += 1;
      if (world.away) throw new Error('away');
      return kept.get(path) ?? null;
    },
    async put(path: string, bytes: Uint8Array) {
      kept.set(path, Buffer.from(bytes));
    },
  };
  return world;
}

function listening() {
  const lines: string[] = [];
  const say = (_: object, text: string) => void lines.push(text);
  const log: Log = { ...silentLog, error: say, warn: say };
  return { log, lines };
}

t.test('a worker knows an installation from when its API has left a mark', async (t) => {
  const [storage, clock] = [objects(), { ms: 0, now: () => clock.ms }];
  const { has } = knownMarks(storage, { clock, log: silentLog });
  await storageMarks(storage, B, silentLog).look();
  t.equal(await has(A, false), false);
  await storageMarks(storage, A, silentLog).look();
  t.equal(await has(A, false), false, 'it does not ask for each task');
  clock.ms += 3000;
  t.equal(await has(A, false), true);
  t.equal(await has(C, false), false);
  const { reads } = storage;
  for (let n = 0; n < 100; n += 1) t.ok((await has(A, false)) && !(await has(C, false)));
  t.equal(storage.reads, reads, 'and remembers both answers');
});

t.test(
  'a worker whose storage has no mark at all takes the tasks of all but files, and says so once',
  async (t) => {
    const [storage, clock, { log, lines }] = [objects(), { ms: 0, now: () => clock.ms }, listening()];
    const { has } = knownMarks(storage, { clock, log });
    for (const id of [A, B]) t.equal(await has(id, false), true);
    for (const id of [A, B]) t.equal(await has(id, true), false, 'it has no file of theirs');
    t.match(lines, [/storage has no mark of an API/]);
    await storageMarks(storage, A, silentLog).look();
    clock.ms += 3000;
    t.same([await has(A, false), await has(B, false)], [true, false], 'until an API has been there');
    t.equal(lines.length, 1);
  },
);

t.test('an API of an earlier version, which left its id alone, is known by that', async (t) => {
  const storage = objects();
  storage.kept.set(OWNER, Buffer.from(A));
  const { has } = knownMarks(storage, { clock: { now: () => 0 }, log: silentLog });
  t.same([await has(A, false), await has(B, false)], [true, false]);
});

t.test('an id that is no id is never a path', async (t) => {
  const storage = objects();
  const { has } = knownMarks(storage, { clock: { now: () => 0 }, log: silentLog });
  for (const id of ['../../secret', '', 'a/b', 'x'.repeat(65)]) t.equal(await has(id, false), false);
  t.equal(storage.reads, 0);
});

t.test('while the storage is away, tasks go back; it is said once', async (t) => {
  const [storage, clock, { log, lines }] = [objects(), { ms: 0, now: () => clock.ms }, listening()];
  await storageMarks(storage, A, silentLog).look();
  storage.away = true;
  const { has } = knownMarks(storage, { clock, log });
  for (let n = 0; n < 3; n += 1) {
    await t.rejects(has(A, false), ForeignMessage);
    clock.ms += 3000;
  }
  t.equal(lines.length, 1);
  storage.away = false;
  t.equal(await has(A, false), true);
});

t.test('two installations in one storage are both warned, once, until one is gone', async (t) => {
  const [storage, one, two] = [objects(), listening(), listening()];
  const [first, second] = [storageMarks(storage, A, one.log), storageMarks(storage, B, two.log)];
  await first.look();
  await first.look();
  t.same(await first.health(), { ok: true });
  await second.look();
  await second.look();
  await first.look();
  await first.look();
  t.match(
    [one.lines, two.lines],
    [[/also that of another installation \(b{12}, this one is a{12}\)/], [/\(a{12}, this one is b{12}\)/]],
  );
  t.same([one.lines.length, two.lines.length], [1, 1]);
  t.same([(await first.health()).ok, (await second.health()).ok], [false, false]);
  for (const path of [OWNER, SHARED]) storage.kept.delete(path);
  await second.look();
  t.same(await second.health(), { ok: true });
});

t.test('processes of one installation, and a restored database, leave the same mark', async (t) => {
  const storage = objects();
  for (let n = 0; n < 3; n += 1) await storageMarks(storage, A, silentLog).look();
  t.equal(storage.kept.size, 2);
});
