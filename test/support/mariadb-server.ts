import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import type { Test } from 'tap';
import { freePort } from './free-port.js';
import { tempFolder } from './temp-folder.js';
import { until } from './until.js';

/** Why tests that start a MariaDB are skipped; false if it is installed. */
export function mariadbdMissing(): string | false {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  try {
    execFileSync('mariadbd', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'mariadbd is not installed';
  }
}

/** Starts a MariaDB with these options, in its own folder and on its own port. It ends with the test. */
export async function startMariadb(t: Test, options: string[]): Promise<{ port: number; socket: string }> {
  const folder = tempFolder(t);
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const common = ['--no-defaults', `--datadir=${data}`, ...user];
  execFileSync(
    'mariadb-install-db',
    [...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
    {
      stdio: 'pipe',
    },
  );
  const port = await freePort();
  const socket = join(folder, 'socket');
  const where = [
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--socket=${socket}`,
    `--pid-file=${folder}/pid`,
  ];
  const server = spawn('mariadbd', [...common, ...where, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  server.stderr.on('data', (data: Buffer) => {
    log += data;
  });
  const ended = once(server, 'exit');
  t.teardown(async () => {
    server.kill('SIGKILL');
    await ended;
  });
  await until('MariaDB answers', async () => {
    if (server.exitCode !== null) throw new Error(`mariadbd ended with ${server.exitCode}:\n${log}`);
    return createConnection({ socketPath: socket, user: 'root' }).then(
      (connection) => connection.end().then(() => true),
      () => false,
    );
  });
  return { port, socket };
}
