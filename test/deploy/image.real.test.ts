import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, symlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { freePort } from '../support/free-port.js';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { composeFile, dockerfile } from './deployment.js';
import { assembleImage, copyBuildContext, isInBuildContext } from './image.js';

const DEADLINE_MS = 60_000;

/** The command of a stage. */
const commandOf = (stage: string): string[] =>
  JSON.parse(dockerfile().find((line) => line.stage === stage && line.word === 'CMD')?.rest ?? '[]');

function launch(t: Test, folder: string, [program, ...args]: string[], env: Record<string, string>) {
  const child: ChildProcess = spawn(program === 'node' ? process.execPath : '', args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => {
      log += data;
    });
  }
  t.teardown(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, exited, log: () => log };
}

t.test('the files that .dockerignore admits are enough to build and run the image', async (t) => {
  const context = tempFolder(t);
  copyBuildContext(context);
  for (const name of [
    '.env',
    '.env.production',
    '.git/config',
    'data/cadre.sqlite',
    'dist/main.js',
    'cadre.json',
  ])
    t.notOk(isInBuildContext(name), `${name} stays outside`);
  symlinkSync(fileURLToPath(projectFile('node_modules')), join(context, 'node_modules'));
  const build = spawnSync('npm', ['run', 'build'], { cwd: context, encoding: 'utf8' });
  t.equal(build.status, 0, build.stdout + build.stderr);
  const folder = tempFolder(t);
  assembleImage(context, folder);
  t.same(commandOf('cadre'), ['node', 'dist/main.js']);
  const env = { NODE_ENV: 'production', PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(folder, 'data') };

  await t.test('it runs as an API that answers its health check until it is stopped', async (t) => {
    const api = launch(t, folder, commandOf('cadre'), env);
    const line = await until('listening', () => /http:\/\/127\.0\.0\.1:(\d+)/.exec(api.log()), DEADLINE_MS);
    t.equal(checkHealth('api', Number(line[1])), 0);
    api.child.kill('SIGTERM');
    t.same(await api.exited, [0, null]);
    t.equal(checkHealth('api', Number(line[1])), 1);
  });

  await t.test('it runs as a worker that is not ready until its broker is there', async (t) => {
    const worker = launch(t, folder, commandOf('cadre'), {
      ...env,
      ROLES: 'worker',
      CADRE_WORKERS_PORT: '0',
      AMQP_URL: 'amqp://127.0.0.1:1',
      AZURE_STORAGE_CONNECTION_STRING:
        'DefaultEndpointsProtocol=http;AccountName=cadre;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:1/cadre;',
    });
    t.ok(
      await until('the worker', () => worker.log().includes('the worker waits for its queue'), DEADLINE_MS),
    );
    const [, port] = /"port":(\d+),"msg":"worker serves health checks/.exec(worker.log()) ?? [];
    t.equal(checkHealth('worker', Number(port)), 1);
    t.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
  });

  await t.test('it runs the command of the migrate service', async (t) => {
    const [program = '', ...args] = composeFile().services.migrate?.command ?? [];
    t.equal(program, 'node');
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { ...env, DATABASE_URL: `sqlite:${join(folder, 'migrated.sqlite')}` },
      encoding: 'utf8',
    });
    t.equal(status, 0, stdout + stderr);
    t.ok(existsSync(join(folder, 'migrated.sqlite')));
  });
});

/** Exit code of a service's health check on this port. */
function checkHealth(service: string, port: number): number | null {
  const [, program, ...args] = composeFile().services[service]?.healthcheck?.test ?? [];
  if (program !== 'node') throw new Error(`${service} is not watched by node`);
  return spawnSync(
    process.execPath,
    args.map((arg) => arg.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)),
  ).status;
}

t.test('the health check of an API fails while it is not ready', async (t) => {
  const server = createServer((_, response) => void response.writeHead(503).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const [, , ...args] = composeFile().services.api?.healthcheck?.test ?? [];
  const check = spawn(
    process.execPath,
    args.map((arg) => arg.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`)),
  );
  t.same(await once(check, 'exit'), [1, null]);
});

t.test('the image runs as an unprivileged user, with production packages only', async (t) => {
  const image = dockerfile().filter(({ stage }) => stage === 'cadre');
  t.equal(image.find(({ word }) => word === 'USER')?.rest, 'node');
  const last = image.slice(image.findIndex(({ word }) => word === 'USER')).map(({ word }) => word);
  t.notOk(
    last.some((word) => ['RUN', 'COPY', 'ADD'].includes(word)),
    'nothing is done after that',
  );
  t.match(
    dockerfile().find(({ stage, word }) => stage === 'production-dependencies' && word === 'RUN')?.rest,
    '--omit=dev',
  );
});

t.test('Azurite accepts its flags and uploads to an unknown host name', async (t) => {
  const folder = tempFolder(t);
  const key = Buffer.from('a key').toString('base64');
  const port = await freePort();
  const args = commandOf('azurite').map(
    (arg) => ({ '10000': String(port), '/data': folder, '0.0.0.0': '127.0.0.1' })[arg] ?? arg,
  );
  const azurite = launch(t, fileURLToPath(projectFile('.')), args, { AZURITE_ACCOUNTS: `cadre:${key}` });
  await until(
    'Azurite',
    () => checkHealth('azurite', port) === 0 || azurite.child.exitCode !== null,
    DEADLINE_MS,
  );
  const { azureBlob } = await import('../../adapters/azure-blob/index.js');
  const { silentLog } = await import('../../core/ports/log.port.js');
  const connectionString = `DefaultEndpointsProtocol=http;AccountName=cadre;AccountKey=${key};BlobEndpoint=http://127.0.0.1:${port}/cadre;`;
  const { port: storage, stop } = await azureBlob.start({
    options: { connectionString, container: 'cadre' },
    log: silentLog,
    role: 'api',
    secret: new Uint8Array(),
    processName: 'test',
    now: () => Date.now(),
    dataDir: folder,
    maxUploadBytes: 1000,
    maxDeliveries: 3,
  });
  const { uploadUrl } = await storage.signUpload('uploads/a/b', {
    expiresAt: Math.floor(Date.now() / 1000) + 600,
    origin: '',
  });
  const put = request(uploadUrl, {
    method: 'PUT',
    headers: { host: `storage.localhost:${port}`, 'content-type': 'text/plain', 'content-length': 5 },
  }).end('hello');
  const [answer] = await once(put, 'response');
  t.equal(answer.statusCode, 201);
  answer.resume();
  t.equal((await storage.sealUpload('uploads/a/b', { maxBytes: 1000 }))?.bytes, 5);
  await stop({ deadlineMs: 1000 });
});
