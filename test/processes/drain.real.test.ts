import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { launchMain, type MainProcess } from '../support/main-process.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

const KEY = 'bootstrap-key-of-a-test';

/** Starts an API and resolves with its origin once it listens. `port` 0 picks a free port. */
async function startApi(
  t: Test,
  env: Record<string, string>,
): Promise<{ main: MainProcess; origin: string }> {
  const main = launchMain(t, { BOOTSTRAP_API_KEY: KEY, ...env });
  const [, origin = ''] = await until('listening', () =>
    /listening on (http:\/\/\S+)/.exec(main.output.stdout),
  );
  return { main, origin };
}

const statusOf = (origin: string, path: string): Promise<number | 'refused'> =>
  fetch(origin + path, { headers: { authorization: `Bearer ${KEY}` } }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 'refused' as const,
  );

/** Like a load balancer: sends requests to origins whose `/readyz` returned 200 at the last poll. */
function startBalancedLoad(origins: string[]) {
  const ready = new Set(origins);
  const outcomes = new Map<number | 'refused' | 'none ready', number>();
  let running = true;
  const poll = async (origin: string): Promise<void> => {
    while (running) {
      if ((await statusOf(origin, '/readyz')) === 200) ready.add(origin);
      else ready.delete(origin);
      await sleep(100);
    }
  };
  const send = async (): Promise<void> => {
    for (let sent = 0; running; sent += 1) {
      const targets = [...ready];
      const origin = targets[sent % targets.length];
      const outcome = origin ? await statusOf(origin, '/api/v2/agents') : 'none ready';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await sleep(1);
    }
  };
  const loops = [...origins.map(poll), send(), send(), send(), send()];
  return {
    outcomes,
    ready,
    async stop() {
      running = false;
      await Promise.all(loops);
    },
  };
}

t.test('a rolling restart of two APIs rejects no request of a client that respects readiness', async (t) => {
  const env = { CADRE_HTTP_DRAIN_DELAY_MS: '2000' };
  const apis = [await startApi(t, env), await startApi(t, env)];
  const load = startBalancedLoad(apis.map(({ origin }) => origin));
  for (const { main, origin } of apis) {
    main.child.kill('SIGTERM');
    t.same(await main.ended, { code: 0, signal: null });
    await startApi(t, { ...env, DATA_DIR: main.dataDir, PORT: new URL(origin).port });
    await until('the API to be ready again', () => load.ready.has(origin));
  }
  await load.stop();
  t.same([...load.outcomes.keys()], [200], JSON.stringify([...load.outcomes]));
});

t.test('while draining, a process serves requests, closes their connections and is not ready', async (t) => {
  const { main, origin } = await startApi(t, { CADRE_HTTP_DRAIN_DELAY_MS: '60000' });
  main.child.kill('SIGTERM');
  await until('not ready', async () => (await statusOf(origin, '/readyz')) === 503);
  const answer = await fetch(`${origin}/api/v2/agents`, { headers: { authorization: `Bearer ${KEY}` } });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('connection'), 'close');
  t.equal(await statusOf(origin, '/livez'), 200);

  await t.test('a second signal ends the drain phase at once', async (t) => {
    main.child.kill('SIGTERM');
    t.same(await main.ended, { code: 0, signal: null }, main.output.stderr);
    t.equal(await statusOf(origin, '/livez'), 'refused');
  });
});
