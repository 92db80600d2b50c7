import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freshDatabase } from '../real/services.js';
import { openStream } from '../support/event-stream.js';
import { delta, done, ends, startFakeProvider } from '../support/fake-provider.js';
import { client } from '../support/flows.js';
import { freePort } from '../support/free-port.js';
import { mysqlMissing } from '../support/mysql.js';
import { bootstrapKey, type ServerProcess, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { programMissing } from '../support/tools.js';
import { until } from '../support/until.js';
import { textOf } from './deployment.js';

const AGENTS = 16;
const skip = programMissing('nginx', '-v', 'nginx') || (await mysqlMissing());

/** Starts nginx with deploy/nginx/cadre.conf and these upstreams. Resolves with its origin. */
async function startNginx(t: Test, upstreams: string[]): Promise<string> {
  const folder = tempFolder(t);
  const port = await freePort();
  const [, parameters] = /server api:3000( .*);/.exec(textOf('deploy/nginx/cadre.conf')) ?? [];
  const site = textOf('deploy/nginx/cadre.conf')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace(/server api:3000.*;/, upstreams.map((host) => `server ${host}${parameters};`).join(' '));
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    config,
    `daemon off; pid ${folder}/nginx.pid; error_log stderr notice; events {}
     http { access_log off; ${temporary.join(' ')}\n${site} }`,
  );
  const nginx = spawn('nginx', ['-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  nginx.stderr.on('data', (data: Buffer) => {
    errors += data;
  });
  t.teardown(async () => {
    nginx.kill('SIGTERM');
    if (nginx.exitCode === null) await once(nginx, 'exit');
  });
  const origin = `http://127.0.0.1:${port}`;
  await until('nginx', async () => {
    if (nginx.exitCode !== null) throw new Error(errors);
    return fetch(origin).then(
      () => true,
      () => false,
    );
  });
  return origin;
}

/** Number of requests for an agent that an API has served, from its log. */
const served = (api: ServerProcess, agentId: string): number =>
  api
    .log()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"') && line.includes(`"path":"/api/v2/agents/${agentId}`))
    .length;

t.test('nginx in front of two APIs', { skip }, async (t) => {
  const { url } = await freshDatabase(t);
  const provider = await startFakeProvider();
  t.teardown(() => provider.close());
  const options = {
    providers: { held: { baseUrl: provider.baseUrl } },
    models: {
      '*': { provider: 'held', model: 'x', contextTokens: 32_000, maxOutputTokens: 1000, credits: 1 },
    },
  };
  const start = () =>
    startServer({
      dataDir: tempFolder(t),
      config: { plugins: { model: { use: 'openai-compatible', options } } },
      env: { DATABASE_URL: url },
    });
  const apis = [await start(), await start()] as const;
  t.teardown(() => Promise.all(apis.map((api) => api.killAll())));
  const origin = await startNginx(
    t,
    apis.map(({ baseUrl }) => new URL(baseUrl).host),
  );
  const { call } = client(origin, bootstrapKey);
  const ids: string[] = [];
  for (let n = 0; n < AGENTS; n += 1)
    ids.push((await call<{ id: string }>('POST', '/agents', { name: `agent ${n}` })).id);
  const countsOf = (id: string) => apis.map((api) => served(api, id));

  await t.test('sends all requests for an agent to the same API, and uses both', async (t) => {
    for (const id of ids) {
      await call('GET', `/agents/${id}`);
      await call('PATCH', `/agents/${id}`, { name: 'renamed' });
      await call('GET', `/agents/${id}/sources`);
    }
    await until('all log lines', () => ids.every((id) => countsOf(id).reduce((a, b) => a + b) === 3));
    const homes = ids.map((id) => countsOf(id).map((count) => count === 3));
    for (const [n, home] of homes.entries()) t.equal(home.filter(Boolean).length, 1, `agent ${n}`);
    for (const n of [0, 1])
      t.ok(
        homes.some((home) => home[n]),
        `API ${n} has agents`,
      );
  });

  await t.test('streams events while the answer is being written', async (t) => {
    let finish = () => {};
    provider.play((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(delta('We open at nine. '));
      finish = () => response.end([delta('Until six.'), ends('stop'), done].join(''));
    });
    const stream = await openStream({
      baseUrl: origin,
      apiKey: bootstrapKey,
      path: `/agents/${ids[0]}/chat`,
      method: 'POST',
      body: { message: 'When are you open?' },
    });
    await stream.event(({ type }) => type === 'start');
    t.notOk(stream.done, 'the first event is there before the last is written');
    await until('the provider to begin', () => provider.calls.length === 1);
    finish();
    await stream.over;
    t.ok(stream.done);
  });

  await t.test('blocks operators’ pages', async (t) => {
    for (const path of ['/metrics', '/readyz', '/livez'])
      t.equal((await fetch(origin + path)).status, 404, path);
    t.equal((await fetch(`${origin}/api/v2/health`)).status, 200);
  });

  await t.test('fails over when an API has died', async (t) => {
    const [dies, stays] = apis;
    const moved = ids.filter((id) => served(dies, id) > 0);
    await dies.killAll();
    for (const id of ids) {
      t.match(await call('GET', `/agents/${id}`), { id });
      await call('PATCH', `/agents/${id}`, { name: 'survivor' });
    }
    const wait = () => moved.every((id) => served(stays, id) >= 2);
    t.ok(await until('the log lines', wait), 'those of the dead API, too');
  });
});
