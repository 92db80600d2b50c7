import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

const noBroker = { AMQP_URL: 'amqp://127.0.0.1:1' };
const noStorage = {
  AZURE_STORAGE_CONNECTION_STRING:
    'DefaultEndpointsProtocol=http;AccountName=cadre;AccountKey=a2V5;BlobEndpoint=http://127.0.0.1:1/cadre;',
};

interface Readiness {
  httpStatus: number;
  status: string;
  checks: Record<string, { ok: boolean }>;
}

async function readinessOf(origin: string): Promise<Readiness> {
  const answer = await fetch(`${origin}/readyz`);
  return { httpStatus: answer.status, ...((await answer.json()) as Omit<Readiness, 'httpStatus'>) };
}

t.test(
  'an API without broker and storage is degraded and serves all requests that need neither',
  async (t) => {
    const dataDir = tempFolder(t);
    const server = await startServer({ dataDir, env: { ROLES: 'api', ...noBroker, ...noStorage } });
    t.teardown(() => server.killAll());
    t.match(await readinessOf(server.baseUrl), {
      httpStatus: 200,
      status: 'degraded',
      checks: { database: { ok: true }, queue: { ok: false }, storage: { ok: false }, process: { ok: true } },
    });
    const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text();
    for (const [dependency, up] of Object.entries({ database: 1, queue: 0, storage: 0 }))
      t.match(metrics, `dependency_up{dependency="${dependency}"} ${up}`);

    const api = client(server.baseUrl, bootstrapKey);
    const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'one' });
    await api.call('POST', `/agents/${id}/sources/text`, { title: 'Hours', content: 'We open at nine.' });
    const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
      url: 'https://docs.example.com/hours',
    });
    t.match(await api.call('GET', `/agents/${id}/jobs/${jobId}`), { status: 'pending' });
    await until('the metrics to show the task that waits for the broker', async () =>
      /^outbox_pending 1$/m.test(await (await fetch(`${server.baseUrl}/metrics`)).text()),
    );

    await t.test('an API without a database is not ready', async (t) => {
      renameSync(join(dataDir, 'cadre.sqlite'), join(dataDir, 'away.sqlite'));
      const found = await until('the database to be missed', async () => {
        const readiness = await readinessOf(server.baseUrl);
        return readiness.httpStatus === 503 && readiness;
      });
      t.match(found, { status: 'not ready', checks: { database: { ok: false } } });
    });
  },
);

t.test(
  'a worker that starts without storage waits, because it cannot tell its installation',
  { skip: await rabbitmqMissing() },
  async (t) => {
    const prefix = freshPrefix();
    const dataDir = tempFolder(t);
    const server = await startServer({
      dataDir,
      config: { plugins: { queue: { options: { prefix } } } },
      env: { AMQP_URL: amqpUrl, CADRE_WORKERS_PORT: '0', ...noStorage },
    });
    t.teardown(async () => {
      await server.killAll();
      await deleteQueues(prefix);
    });
    const [, port] = await until('the port of the worker', () =>
      /"port":(\d+),"msg":"worker serves health checks/.exec(server.log()),
    );
    t.match(
      await until('the worker to miss its storage', async () => {
        const readiness = await readinessOf(`http://127.0.0.1:${port}`);
        return readiness.checks.storage?.ok === false && readiness;
      }),
      { httpStatus: 503, checks: { queue: { ok: false } } },
    );
  },
);
