import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import { freePort } from '../../../test/support/free-port.js';
import { answering, type Engine, findProgram } from './engine.js';

/** The exchange with copies of all published messages, which the siege republishes as duplicates. */
const ADVANCED_CONFIG = '[{rabbit, [{trace_vhosts, [<<"/">>]}]}].\n';

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A RabbitMQ node with its data in `folder`. */
export async function startRabbitmq(folder: string): Promise<Engine> {
  // Debian's wrapper on the path switches to another user; the program that it starts does not.
  const server = findProgram(
    ['/usr/lib/rabbitmq/bin/rabbitmq-server', 'rabbitmq-server'],
    'RabbitMQ 3.10 or later (package rabbitmq-server)',
  );
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'advanced.config'), ADVANCED_CONFIG);
  const [port, dist] = [await freePort(), await freePort()];
  const url = `amqp://guest:guest@127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    RABBITMQ_NODENAME: `cadre-siege-${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(dist),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONFIG_FILE: join(folder, 'no-config'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
  };
  const log = openSync(join(folder, 'rabbitmq.log'), 'a');
  let pid: number | null = null;
  let ended: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<void> => {
    const child = spawn(server, { env, stdio: ['ignore', log, log] });
    ended = once(child, 'exit');
    await answering('RabbitMQ', child, async () => (await connect(url, { timeout: 5000 })).close());
    // The started script is the broker's parent.
    pid = Number((await readFile(env.RABBITMQ_PID_FILE, 'utf8')).trim());
  };
  const stop = async (how: 'term' | 'kill'): Promise<void> => {
    if (pid === null) return;
    if (alive(pid)) process.kill(pid, how === 'term' ? 'SIGTERM' : 'SIGKILL');
    while (alive(pid)) await sleep(50);
    pid = null;
    await ended;
  };
  await start();
  return { url, host: '127.0.0.1', port, start, stop };
}
