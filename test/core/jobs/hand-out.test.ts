import t from 'tap';
import { handOut } from '../../../core/jobs/hand-out.js';
import { createShares, roomFor } from '../../../core/tasks/share.js';

const agents = (...names: string[]) =>
  names.map((agentId) => ({ agentId, workspaceId: agentId.split('/')[0] ?? '' }));

t.test('one alone gets half of the places; each one who comes later finds some left', async (t) => {
  let free = 64;
  const got: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const room = roomFor({ held: 0, free, spare: 0 });
    got.push(room);
    free -= room;
  }
  t.same(got, [32, 16, 8, 4, 2, 1]);
  t.ok(free > 0, 'and there is still one free');
});

t.test('a modest owner leaves a part of its share', async (t) => {
  t.equal(roomFor({ held: 0, free: 64, spare: 0 }, 2), 22);
  t.equal(roomFor({ held: 22, free: 42, spare: 0 }, 2), 0);
  t.equal(roomFor({ held: 22, free: 42, spare: 0 }), 10);
  t.equal(roomFor({ held: 0, free: 1, spare: 0 }, 2), 1, 'a newcomer takes the last place');
  t.equal(roomFor({ held: 0, free: 0, spare: 0 }), 0);
  t.equal(roomFor({ held: 3, free: -2, spare: 9 }), 0, 'more are under way than there should be');
  t.equal(roomFor({ held: 0, free: -2, spare: 9 }), 1, 'a spare place, for one who has none');
  t.equal(roomFor({ held: 0, free: -9, spare: 9 }), 0);
});

t.test('places are handed out by turns, and no agent gets more than it may have', async (t) => {
  const line = agents('big/1', 'big/2', 'big/3', 'small/1');
  const places = handOut(line, createShares(6, 6), 2);
  t.same(Object.fromEntries(places), { 'big/1': 1, 'big/2': 1, 'small/1': 2 });
  const few = handOut(line, createShares(5, 5, new Map([['big', 3]])), 2);
  t.same(Object.fromEntries(few), { 'small/1': 1 }, 'a workspace that has its share gets none');
});
