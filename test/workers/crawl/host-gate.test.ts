import t from 'tap';
import { createHostGate } from '../../../workers/crawl/host-gate.js';
import { failureFrom, never } from './local-site.js';

const gateOf = (settings: { concurrency?: number; delayMs?: number; maxWaiting?: number }) =>
  createHostGate({ concurrency: 1, delayMs: 0, maxWaiting: 10, ...settings });

t.test('no more than the limit are at one host, first come first served', async (t) => {
  const gate = gateOf({ concurrency: 2 });
  const order: number[] = [];
  const arrivedAs = (place: number) => (leave: () => void) => {
    order.push(place);
    return leave;
  };
  const leaveFirst = await gate.enter('a', never);
  const leaveSecond = await gate.enter('a', never);
  const third = gate.enter('a', never).then(arrivedAs(3));
  const fourth = gate.enter('a', never).then(arrivedAs(4));
  await gate.enter('b', never);
  t.same(order, [], 'another host is not concerned');
  leaveSecond();
  leaveSecond();
  await new Promise((resolve) => setImmediate(resolve));
  const leaveThird = await third;
  t.same(order, [3], 'to leave twice frees one place');
  leaveThird();
  leaveFirst();
  (await fourth)();
  t.same(order, [3, 4]);
});

t.test('a caller that gives up leaves the line', async (t) => {
  const gate = gateOf({});
  const leave = await gate.enter('a', never);
  const giveUp = new AbortController();
  const waiting = gate.enter('a', giveUp.signal);
  const next = gate.enter('a', never);
  giveUp.abort(new Error('no longer'));
  await t.rejects(waiting, { message: 'no longer' });
  leave();
  (await next)();
  await t.rejects(gate.enter('a', giveUp.signal), { message: 'no longer' });
});

t.test('the line has an end', async (t) => {
  const gate = gateOf({ maxWaiting: 1 });
  const leave = await gate.enter('a', never);
  const waiting = gate.enter('a', never);
  t.match(await failureFrom(gate.enter('a', never)), { code: 'HTTP_BUSY', verdict: 'retry' });
  leave();
  (await waiting)();
});

t.test('entries to one host keep their distance', async (t) => {
  const slow = gateOf({ concurrency: 5, delayMs: 3_600_000 });
  (await slow.enter('a', never))();
  const giveUp = new AbortController();
  const tooSoon = slow.enter('a', giveUp.signal).then(() => 'entered');
  (await slow.enter('b', never))();
  giveUp.abort('still waiting');
  await t.rejects(tooSoon, 'still waiting');

  const quick = gateOf({ concurrency: 5, delayMs: 5 });
  for (const _ of [1, 2, 3]) (await quick.enter('a', never))();
  t.pass('in the end everyone gets in');
});
