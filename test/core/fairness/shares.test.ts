import { createShares, distribute, roomFor } from '../../../core/fairness/shares.js';
import t from '../../support/t.js';

const agents = (...names: string[]) =>
  names.map((agentId) => ({ agentId, workspaceId: agentId.split('/')[0] ?? '' }));

t.test('a single workspace gets half of the permits, and each newcomer finds some left', async (t) => {
  let free = 64;
  const got: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const room = roomFor({ held: 0, free, spare: 0 });
    got.push(room);
    free -= room;
  }
  t.same(got, [32, 16, 8, 4, 2, 1]);
  t.ok(free > 0, 'one is still free');
});

t.test('a reserve factor leaves a part of the share', async (t) => {
  t.equal(roomFor({ held: 0, free: 64, spare: 0 }, 2), 22);
  t.equal(roomFor({ held: 22, free: 42, spare: 0 }, 2), 0);
  t.equal(roomFor({ held: 22, free: 42, spare: 0 }), 10);
  t.equal(roomFor({ held: 0, free: 1, spare: 0 }, 2), 1, 'a newcomer takes the last permit');
  t.equal(roomFor({ held: 0, free: 0, spare: 0 }), 0);
  t.equal(roomFor({ held: 3, free: -2, spare: 9 }), 0, 'more are in use than there should be');
  t.equal(roomFor({ held: 0, free: -2, spare: 9 }), 1, 'a spare permit for a workspace without one');
  t.equal(roomFor({ held: 0, free: -9, spare: 9 }), 0);
});

t.test('permits are distributed round-robin, within the shares and the limit of an agent', async (t) => {
  const waiting = agents('big/1', 'big/2', 'big/3', 'small/1');
  const permits = distribute(waiting, createShares(6, 6), 2);
  t.same(Object.fromEntries(permits), { 'big/1': 1, 'big/2': 1, 'big/3': 1, 'small/1': 2 });
  const few = distribute(waiting, createShares(5, 5, new Map([['big', 3]])), 2);
  t.same(Object.fromEntries(few), { 'small/1': 1 }, 'a workspace that has its share gets none');
});
