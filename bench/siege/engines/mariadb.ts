import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../../../test/support/free-port.js';
import { answering, type Engine, findProgram } from './engine.js';

const INSTALL = 'MariaDB or MySQL (package mariadb-server)';
const DATABASE = 'cadre';

/** A MariaDB server with its data in `folder` and one empty database. */
export async function startMariadb(folder: string): Promise<Engine> {
  const server = findProgram(['/usr/sbin/mariadbd', 'mariadbd'], INSTALL);
  const installer = findProgram(['mariadb-install-db'], INSTALL);
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  // Otherwise it refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const made = spawnSync(
    installer,
    [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`mariadb-install-db: ${made.stderr}`);
  const port = await freePort();
  const url = `mysql://root@127.0.0.1:${port}`;
  const log = openSync(join(folder, 'mariadb.log'), 'a');
  let child: ChildProcess | null = null;

  const start = async (): Promise<void> => {
    const started = spawn(
      server,
      [
        '--no-defaults',
        ...user,
        `--datadir=${data}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(folder, 'socket')}`,
        `--pid-file=${join(folder, 'pid')}`,
        '--max-connections=200',
        '--skip-name-resolve',
      ],
      { stdio: ['ignore', log, log] },
    );
    child = started;
    await answering('MariaDB', started, async () =>
      (await createConnection({ uri: url, connectTimeout: 2000 })).end(),
    );
  };
  const stop = async (how: 'term' | 'kill'): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(how === 'term' ? 'SIGTERM' : 'SIGKILL');
    await exited;
  };
  await start();
  const connection = await createConnection(url);
  await connection.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.end();
  return { url: `${url}/${DATABASE}`, host: '127.0.0.1', port, start, stop };
}
