import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { launchMain } from '../support/main-process.js';
import t from '../support/t.js';
import { until } from '../support/until.js';

t.test('with a separate operations port, the API port serves probes and no metrics', async (t) => {
  const main = launchMain(t, { CADRE_OPERATIONS_PORT: '0', LOG_LEVEL: 'info' });
  const [, api] = await until('listening', () => /listening on (http:\/\/\S+)/.exec(main.output.stdout));
  const [, port] = await until('the port for operations', () =>
    /"port":(\d+),"msg":"API serves health checks and metrics"/.exec(main.output.stdout),
  );
  const operations = `http://127.0.0.1:${port}`;
  const statusOf = async (url: string) => {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status;
  };
  t.match(await (await fetch(`${operations}/metrics`)).text(), /^build_info\{/m);
  for (const path of ['/livez', '/readyz']) {
    t.equal(await statusOf(operations + path), 200, path);
    t.equal(await statusOf(api + path), 200, path);
  }
  t.equal(await statusOf(`${api}/metrics`), 404);
  t.equal(await statusOf(`${operations}/api/v2/health`), 404);
  t.equal(await statusOf(`${operations}/api/v2/agents`), 404);
  main.child.kill('SIGTERM');
  t.same(await main.ended, { code: 0, signal: null });
});

t.test('an API whose operations port is in use does not start', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const main = launchMain(t, { CADRE_OPERATIONS_PORT: String(port) });
  t.same(await main.ended, { code: 1, signal: null });
  t.match(
    main.output.stderr,
    `Port ${port} of 127.0.0.1 is already in use. Set CADRE_OPERATIONS_PORT to another port, or unset it.`,
  );
});
