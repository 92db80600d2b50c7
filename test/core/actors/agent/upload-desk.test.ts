import t from 'tap';
import { uploadDesk } from '../../../../core/actors/agent/upload-desk.js';
import type { ArrivingUploads } from '../../../../core/ports/store/sweeps.js';

function deskOf(answer: 'welcome' | 'full' = 'welcome') {
  let failures = 0;
  const notes: string[] = [];
  let wait: Promise<boolean> | undefined;
  const arrivals: ArrivingUploads = {
    begin: async () => answer,
    end: async () => {
      if (failures === 0) return true;
      failures -= 1;
      throw new Error('the database is away');
    },
    workspaceOf: async (path) => (path === 'gone' ? null : `owner of ${path}`),
  };
  let underWay = 0;
  const desk = uploadDesk(arrivals, 1000, {
    underWay() {
      underWay += 1;
      return () => {
        underWay -= 1;
      };
    },
    begin(workspaceId) {
      notes.push(`${workspaceId} asks`);
      return wait;
    },
    worksFor: (workspaceId) => void notes.push(`for ${workspaceId}`),
  });
  const slowDown = (until: Promise<boolean>) => {
    wait = until;
  };
  const fail = (times: number) => {
    failures = times;
  };
  return { desk, notes, slowDown, fail, underWay: () => underWay };
}

t.test('a piece of an upload counts for its workspace, and waits while that has had too much', async (t) => {
  const { desk, notes, slowDown } = deskOf();
  t.equal(await desk.begin('a', 10), 'welcome');
  t.equal(desk.piece?.('a'), undefined);
  t.same(notes.splice(0), ['owner of a asks', 'for owner of a']);
  let release = () => {};
  slowDown(
    new Promise((resolve) => {
      release = () => resolve(true);
    }),
  );
  const held = desk.piece?.('a');
  t.same(notes, ['owner of a asks']);
  release();
  await held;
  t.same(notes, ['owner of a asks', 'for owner of a']);
});

t.test('an upload that has ended, or is unknown, does not wait', async (t) => {
  const { desk, notes, underWay } = deskOf();
  await desk.begin('a', 10);
  await desk.begin('a', 10);
  await desk.begin('gone', 10);
  t.equal(underWay(), 2);
  t.equal(await desk.end('a', 10, 5), true);
  desk.piece?.('a');
  t.equal(notes.splice(0).length, 2, 'another one on that path goes on');
  t.equal(underWay(), 1);
  await desk.end('a', 10, 5);
  t.equal(underWay(), 0);
  t.equal(desk.piece?.('a'), undefined);
  t.equal(desk.piece?.('gone'), undefined);
  const refusing = deskOf('full');
  t.equal(await refusing.desk.begin('b', 10), 'full');
  t.equal(refusing.desk.piece?.('b'), undefined);
  t.same([...notes, ...refusing.notes], []);
});

t.test(
  'an upload whose owner cannot be read is not counted, because it could never be counted off',
  async (t) => {
    let counted = 0;
    const desk = uploadDesk(
      {
        begin: async () => {
          counted += 1;
          return 'welcome';
        },
        end: async () => true,
        workspaceOf: async () => {
          throw new Error('the database is away');
        },
      },
      1000,
    );
    await t.rejects(desk.begin('a', 10), { message: 'the database is away' });
    t.equal(counted, 0);
  },
);

t.test('an upload whose end fails is ended once more, and counted off once', async (t) => {
  const { desk, fail, underWay } = deskOf();
  for (const failures of [1, 2]) {
    await desk.begin('a', 10);
    await desk.begin('a', 10);
    fail(failures);
    await t.rejects(desk.end('a', 10, 5), { message: 'the database is away' });
    t.equal(underWay(), 2);
    await desk.end('a', 10, null).catch(() => false);
    t.equal(underWay(), 1, 'the other one on that path goes on');
    await desk.end('a', 10, 5);
    t.equal(underWay(), 0);
  }
});
