import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { kindNames } from '../../core/ports/plugin.port.js';
import { launchMain } from '../support/main-process.js';
import { projectFolder } from '../support/project-folder.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

t.setTimeout(120_000);

interface Record {
  packages: string[];
  compiled: number;
  compressed: number;
}

/** Records what an API loads and creates until it listens and stops again. */
async function startAndStop(t: Test, DATA_DIR: string): Promise<Record> {
  const file = join(tempFolder(t), 'record.json');
  const { child, output, ended } = launchMain(t, {
    DATA_DIR,
    ROLES: 'api',
    RECORD_START: file,
    NODE_OPTIONS: `--require=${join(projectFolder, 'test/support/record-start.cjs')}`,
  });
  await until('listening', () => output.stdout.includes('listening on'));
  child.kill('SIGTERM');
  t.equal((await ended).code, 0);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Loaded on first use, by another role, or for a plugin that is not selected. */
const notAtStart = [
  'koa-body',
  'piscina',
  'amqplib',
  'mysql2',
  '@azure/identity',
  '@azure/storage-blob',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/exporter-trace-otlp-http',
  'unpdf',
  'yauzl',
  'numfmt',
  'chardet',
];

t.test('a start loads and creates nothing before it is needed', async (t) => {
  const dataDir = tempFolder(t);
  const first = await startAndStop(t, dataDir);
  t.ok(first.packages.includes('sequelize'), 'loading is seen');
  const { packages, compiled, compressed } = await startAndStop(t, dataDir);
  for (const name of notAtStart) t.notOk(packages.includes(name), name);
  t.equal(compressed, 0, 'pages and the description of the API are made for the first who asks');
  // Schemas of the settings, of the plans, and of the options of each plugin; none of requests, and no meta-schema.
  t.equal(compiled, 2 + kindNames.length, 'schemas');
});
