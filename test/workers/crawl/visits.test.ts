import type { Owner } from '../../../core/fairness/owner.js';
import { createVisits } from '../../../workers/crawl/visits.js';
import t from '../../support/t.js';
import { never } from './local-site.js';

const visitsOf = (settings: { slots?: number; concurrency?: number; delayMs?: number }) =>
  createVisits({ slots: 100, concurrency: 1, delayMs: 0, ...settings });

const agent = (workspaceId: string, agentId = 'agent'): Owner => ({ workspaceId, agentId });
const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('limits concurrent requests per host, in FIFO order', async (t) => {
  const visits = visitsOf({ concurrency: 2 });
  const order: number[] = [];
  const enter = (host: string) => visits.begin(agent('w')).enter(host, never);
  const arrivedAs = (place: number) => (leave: () => void) => {
    order.push(place);
    return leave;
  };
  const leaveFirst = await enter('a');
  const leaveSecond = await enter('a');
  const third = enter('a').then(arrivedAs(3));
  const fourth = enter('a').then(arrivedAs(4));
  await enter('b');
  t.same(order, [], 'another host is not concerned');
  leaveSecond();
  leaveSecond();
  await settled();
  const leaveThird = await third;
  t.same(order, [3], 'to leave twice frees one place');
  leaveThird();
  leaveFirst();
  (await fourth)();
  t.same(order, [3, 4]);
});

t.test('an aborted caller leaves the queue', async (t) => {
  const visits = visitsOf({});
  const enter = (signal: AbortSignal) => visits.begin(agent('w')).enter('a', signal);
  const leave = await enter(never);
  const giveUp = new AbortController();
  const waiting = enter(giveUp.signal);
  const next = enter(never);
  giveUp.abort(new Error('no longer'));
  await t.rejects(waiting, { message: 'no longer' });
  leave();
  (await next)();
  await t.rejects(enter(giveUp.signal), { message: 'no longer' });
});

t.test('requests to one host keep a minimum interval', async (t) => {
  const slow = visitsOf({ concurrency: 5, delayMs: 3_600_000 });
  t.teardown(() => slow.close());
  const enter = (host: string, signal = never) => slow.begin(agent('w')).enter(host, signal);
  (await enter('a'))();
  const giveUp = new AbortController();
  const tooSoon = enter('a', giveUp.signal).then(() => 'entered');
  (await enter('b'))();
  giveUp.abort('still waiting');
  await t.rejects(tooSoon, 'still waiting');

  const quick = visitsOf({ concurrency: 5, delayMs: 5 });
  for (const _ of [1, 2, 3]) (await quick.begin(agent('w')).enter('a', never))();
  t.pass('in the end everyone gets in');
});

t.test('a workspace leaves slots for others, regardless of its number of hosts', async (t) => {
  const visits = visitsOf({ slots: 6 });
  let inside = 0;
  const visitOf = (workspaceId: string, host: string) => {
    const visit = visits.begin(agent(workspaceId));
    visit.enter(host, never).then(
      () => {
        inside += 1;
      },
      (error) => t.fail(error),
    );
    return visit;
  };
  const many = Array.from({ length: 10 }, (_, n) => visitOf('greedy', `host-${n}`));
  await settled();
  t.equal(inside, 3, 'half of them, for one that is alone');
  visitOf('second', 'other-1');
  visitOf('third', 'other-2');
  await settled();
  t.equal(inside, 5, 'those who come later find room');
  many[0]?.end();
  await settled();
  t.equal(inside, 5, 'what the greedy one gives back stays free');
});

t.test('when several workspaces hold all slots, a workspace without any gets the spare one', async (t) => {
  const visits = visitsOf({ slots: 2 });
  const enter = (workspaceId: string, host: string) => visits.begin(agent(workspaceId)).enter(host, never);
  for (const n of [1, 2, 3, 4]) (await enter(`slow-${n}`, `host-${n}`))();
  let came = false;
  enter('slow-1', 'host-5').then(
    () => {
      came = true;
    },
    (error) => t.fail(error),
  );
  await settled();
  t.notOk(came, 'but nobody gets a second one');
});

t.test('waiting for a host holds no slot, and the reserved memory is released', async (t) => {
  const visits = visitsOf({ slots: 2 });
  const first = visits.begin(agent('w'));
  const leaveHost = await first.enter('a', never);
  first.end();
  const waiting = visits.begin(agent('w')).enter('a', never);
  const other = visits.begin(agent('w'));
  (await other.enter('b', never))();
  other.end();
  leaveHost();
  (await waiting)();
  t.pass('all got in with one slot');
});

t.test('requests that wait for a host take turns by workspace, then by agent', async (t) => {
  const visits = visitsOf({});
  const leave = await visits.begin(agent('first')).enter('a', never);
  const order: string[] = [];
  const come = async (workspaceId: string, agentId: string) => {
    const visit = visits.begin(agent(workspaceId, agentId));
    const leaveAgain = await visit.enter('a', never);
    order.push(`${workspaceId}/${agentId}`);
    leaveAgain();
    visit.end();
  };
  const all = ['big/one', 'big/one', 'big/one', 'big/two', 'small/one'].map((name) => {
    const [workspaceId = '', agentId = ''] = name.split('/');
    return come(workspaceId, agentId);
  });
  leave();
  await Promise.all(all);
  t.same(order, ['big/one', 'small/one', 'big/two', 'big/one', 'big/one']);
});

t.test('a slow host gets at most half of the slots, and robots.txt needs none', async (t) => {
  const visits = visitsOf({ slots: 4, concurrency: 100 });
  let inside = 0;
  const enter = async (workspaceId: string) => {
    await visits.begin(agent(workspaceId)).enter('slow', never);
    inside += 1;
  };
  for (const workspaceId of ['v', 'w', 'x', 'y']) enter(workspaceId).catch((error) => t.fail(error));
  await settled();
  t.equal(inside, 2);
  const others = [1, 2].map((n) => visits.begin(agent(`z${n}`)).enter(`quick-${n}`, never));
  for (const entered of others) (await entered)();
  (await visits.beginWithoutSlot().enter('quick-1', never))();
  t.pass('there is room for what goes elsewhere');
});
