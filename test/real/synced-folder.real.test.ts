import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from '../support/api-client.js';
import { commandLine } from '../support/command-line.js';
import { client } from '../support/flows.js';
import { amqpUrl, deleteQueues, freshPrefix } from '../support/rabbitmq.js';
import { sampleFiles } from '../support/sample-files.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { startProcess } from './cadre-process.js';
import { freshDatabase, servicesMissing } from './services.js';

const key = 'bootstrap-key-of-a-test';

t.test('a folder is synced through MariaDB and RabbitMQ', { skip: await servicesMissing() }, async (t) => {
  const [prefix, database] = [freshPrefix(), await freshDatabase(t)];
  t.teardown(() => deleteQueues(prefix));
  const env = {
    DATA_DIR: tempFolder(t),
    DATABASE_URL: database.url,
    AMQP_URL: amqpUrl,
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
  };
  const start = async (role: 'api' | 'worker', more: Record<string, string>) => {
    const started = await startProcess(role, { ...env, ROLES: role, ...more });
    t.teardown(() => (started.ended() ? undefined : started.kill()));
    return started;
  };
  // The API prepares the database.
  const { baseUrl } = await start('api', { PORT: '0', BOOTSTRAP_API_KEY: key });
  await start('worker', { CADRE_WORKERS_PORT: '0' });
  const api = client(baseUrl, key);
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'Docs' });
  const folder = join(tempFolder(t), 'docs');
  mkdirSync(folder);
  const write = (sentence: (kind: string) => string) => {
    for (const { fileName, bytes } of sampleFiles(sentence)) writeFileSync(join(folder, fileName), bytes);
  };
  const cli = commandLine({ CADRE_URL: baseUrl, CADRE_API_KEY: key });
  const sync = () => cli.json('sync', folder, '--agent', id, '--name', 'docs', '--delete');
  const found = async (word: string) => {
    const sources = await api.walk<Source>(`/agents/${id}/sources`);
    const texts = await Promise.all(
      sources.map(({ id: source }) =>
        api.call<{ text: string }>('GET', `/agents/${id}/sources/${source}/content`),
      ),
    );
    return texts.filter(({ text }) => text.includes(word)).length;
  };

  write((kind) => `The first edition in ${kind}.`);
  t.match(await sync(), { files: 6, added: 6, failed: 0 });
  t.equal(await found('The first edition'), 6);
  t.match(await sync(), { unchanged: 6, changes: [] });
  write((kind) => `The second edition in ${kind}.`);
  t.match(await sync(), { updated: 6, failed: 0 });
  t.equal(await found('The second edition'), 6);
  t.equal(await found('The first edition'), 0);
});
