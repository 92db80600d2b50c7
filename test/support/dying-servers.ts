import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { freshDatabase } from '../real/services.js';
import { projectFolder } from './project-folder.js';
import { type ServerProcess, startServer } from './server-process.js';
import type { Engine } from './service.js';
import { tempFolder } from './temp-folder.js';
import { until } from './until.js';

interface DyingServersOptions {
  config: object;
  /** Part of the name of tables: processes die before commits to them. */
  diesAt?: string;
  /** Called with the addresses of the running processes after each start and end. */
  onChange?: (baseUrls: string[]) => void;
}

/** One process on SQLite, two on a database server. Each is started again whenever it has ended. */
export async function startDyingServers(
  t: Test,
  engine: Engine,
  { config, diesAt, onChange = () => {} }: DyingServersOptions,
) {
  const folders = Array.from({ length: engine === 'mysql' ? 2 : 1 }, () => tempFolder(t));
  const first = folders[0] as string;
  const url = engine === 'mysql' ? (await freshDatabase(t)).url : `sqlite:${join(first, 'cadre.sqlite')}`;
  const died = join(first, 'died');
  mkdirSync(died);
  let env: Record<string, string> = { DATABASE_URL: url };
  let isOver = false;
  let asked = 0;
  const running = new Map<string, ServerProcess>();
  const baseUrls = () => [...running.values()].map((server) => server.baseUrl);
  async function start(dataDir: string, tries = 10): Promise<void> {
    let server: ServerProcess;
    try {
      server = await startServer({ dataDir, config, env });
    } catch (error) {
      // It may have died while it started.
      if (isOver) return;
      if (tries === 1) throw error;
      return start(dataDir, tries - 1);
    }
    if (isOver) return server.killAll();
    running.set(dataDir, server);
    onChange(baseUrls());
    void server.ended.then(() => {
      running.delete(dataDir);
      onChange(baseUrls());
      if (!isOver) void start(dataDir);
    });
  }
  for (const folder of folders) await start(folder);
  const killAll = async () => {
    await until('the start of all', () => running.size === folders.length || isOver);
    await Promise.all([...running.values()].map((server) => server.killAll()));
  };
  t.teardown(async () => {
    isOver = true;
    await killAll();
  });
  return {
    /** The address of a running process. */
    baseUrl: () => baseUrls()[0] ?? 'http://127.0.0.1:9',
    /** The address of each running process in turn. */
    nextUrl: () => baseUrls()[asked++ % Math.max(1, running.size)] ?? 'http://127.0.0.1:9',
    killAll,
    killFirst: async () => running.get(first)?.killAll(),
    /** From now on, processes die before a commit of a kind at which none has died. */
    async killBeforeCommits() {
      const preload = join(projectFolder, 'test/support/die-before-commit.mjs');
      // Without a worker, a start takes half of the time.
      env = { ...env, DIED_AT: died, NODE_OPTIONS: `--import=${preload}`, ROLES: 'api' };
      if (diesAt !== undefined) env.DIES_AT = diesAt;
      await killAll();
    },
    deaths: () => readdirSync(died).length,
  };
}
