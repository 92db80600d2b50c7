import t from 'tap';
import { createTurnstile } from '../../../workers/threads/turnstile.js';

const never = new AbortController().signal;
const of = (workspaceId: string) => ({ workspaceId, agentId: workspaceId });

t.test('when all places are taken, a spare one is for a workspace that has none', async (t) => {
  const turnstile = createTurnstile(2, 1);
  const inside: string[] = [];
  const enter = (who: string) =>
    turnstile.enter(of(who), never).then((leave) => {
      inside.push(who);
      return leave;
    });
  const [first] = [await enter('greedy'), await enter('greedy')];
  const third = enter('greedy');
  const quiet = await enter('quiet');
  const late = enter('late');
  t.strictSame(inside, ['greedy', 'greedy', 'quiet'], 'the greedy one waits, and nothing is spare any more');
  quiet();
  const another = await late;
  t.strictSame(inside, ['greedy', 'greedy', 'quiet', 'late']);
  another();
  first?.();
  await third;
  t.strictSame(inside.at(-1), 'greedy');
});

t.test('one alone gets all places but the spare one', async (t) => {
  const turnstile = createTurnstile(3, 1);
  let inside = 0;
  for (let n = 0; n < 5; n += 1) void turnstile.enter(of('one'), never).then(() => (inside += 1));
  await new Promise(setImmediate);
  t.equal(inside, 3);
});
