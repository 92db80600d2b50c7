import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../adapters/sequelize/connect.js';
import { apiClient, body, type List } from '../support/api-client.js';
import { projectFolder } from '../support/project-folder.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import { onEachEngine } from '../support/service.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { freshDatabase } from './services.js';

interface Copy {
  jobId: string;
  agentId: string;
}
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const TEXTS = 45;
/** The request, the claim, the picture, documents twice, and the end. */
const LEAST_DEATHS = 5;
const MOST_ROUNDS = 30;

// Processes are killed and started again.
await onEachEngine('a copy is whole or gone after kill -9 before any commit', async (t, engine) => {
  const dataDir = tempFolder(t);
  const url = engine === 'mysql' ? (await freshDatabase(t)).url : `sqlite:${join(dataDir, 'cadre.sqlite')}`;
  const died = join(dataDir, 'died');
  mkdirSync(died);
  const deaths = () => readdirSync(died).length;
  const DATABASE_URL = url;
  const dying = {
    NODE_OPTIONS: `--import=${join(projectFolder, 'test/support/die-before-commit.mjs')}`,
    DIED_AT: died,
    DIES_AT: 'agent_copies',
  };
  const prepared = await startServer({ dataDir, env: { DATABASE_URL } });
  let server = prepared;
  t.teardown(() => server.killAll());
  const api = () => apiClient(server.baseUrl, bootstrapKey);
  const { id } = await api().agent('Original');
  const at = `/agents/${id}`;
  for (let n = 0; n < TEXTS; n += 1)
    await body(api().post(`${at}/sources/text`, { title: `Text ${n}`, content: `Line ${n} of forty-five.` }));
  const { url: pictureUrl } = await body(api().post<{ url: string }>(`${at}/pictures`, { data: PIXEL }));
  await body(api().patch(`${at}/settings/design`, { bubbleIconUrl: pictureUrl }));
  const rows = async (sql: string): Promise<Record<string, unknown>[]> => {
    const { read, close } = connect({ url, poolSize: 1, statementTimeoutMs: 15_000 });
    return read(sql, []).finally(close);
  };
  /** Read from the database, because a server may die at any moment. */
  const used = async (): Promise<number[]> => {
    const [row] = await rows('SELECT agents, storage_bytes FROM workspaces');
    return [Number(row?.agents), Number(row?.storage_bytes)];
  };
  const agentsNow = async () => (await rows('SELECT id FROM agents')).length;
  const [, bytes = 0] = await used();
  await server.stop();

  /** The lease of a killed process must not be waited for. */
  async function endLeases(): Promise<void> {
    const { sequelize } = connect({ url, poolSize: 1, statementTimeoutMs: 15_000 });
    await sequelize.query('UPDATE agent_copies SET lease_until_ms = 0');
    await sequelize.close();
  }
  async function restart(tries = 10): Promise<void> {
    await endLeases();
    try {
      server = await startServer({ dataDir, env: { DATABASE_URL, ...dying } });
    } catch (error) {
      // It may have died while it started.
      if (tries === 1) throw error;
      await restart(tries - 1);
    }
  }

  await restart();
  let copy: Copy | null = null;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    copy ??= await body(api().post<Copy>(`${at}/copy`, { sources: true })).catch(() => null);
    const known = copy;
    const isDone = async () => {
      const [row] = await rows(`SELECT status FROM jobs WHERE id = ${Number(known?.jobId ?? 0)}`);
      return row?.status === 'completed';
    };
    const end = await Promise.race([
      server.ended.then(() => 'killed' as const),
      until('the end of the copy', isDone),
    ]);
    if (end !== 'killed') break;
    const agents = (await used())[0] ?? 0;
    if (agents === 1) copy = null;
    t.strictSame(await used(), copy ? [2, 2 * bytes] : [1, bytes], 'allowances are exact after a kill');
    t.equal(await agentsNow(), 1, 'no part of the copy is an agent');
    await restart();
  }
  t.ok(deaths() >= LEAST_DEATHS, `${deaths()} kinds of commits were interrupted`);
  if (!copy) throw new Error('the copy was not made');
  const own = `/agents/${copy.agentId}`;
  const { data, pagination } = await body(api().get<List<{ title: string }>>(`${own}/sources?limit=100`));
  t.equal(pagination.total, TEXTS);
  t.strictSame(
    data.map(({ title }) => title),
    Array.from({ length: TEXTS }, (_, n) => `Text ${TEXTS - 1 - n}`),
    'each source once, in order',
  );
  const { settings } = await body(api().get<{ settings: { branding: { bubbleIconUrl: string } } }>(own));
  t.equal((await fetch(settings.branding.bubbleIconUrl)).status, 200);
  t.strictSame(await used(), [2, 2 * bytes]);
});
