import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Queue } from '../../core/ports/queue.port.js';
import { nodeArguments } from './entry.js';
import { projectFolder } from './project-folder.js';

const [program = '', ...execArgv] = nodeArguments('main').reverse();

/** Gives a local queue a real worker with this configuration, started on demand. */
export function attachWorker(queue: Queue, dataDir: string, config: object): void {
  const CONFIG_FILE = join(dataDir, 'worker.json');
  writeFileSync(CONFIG_FILE, JSON.stringify(config));
  const env = { PATH: process.env.PATH, ROLES: 'worker', LOG_LEVEL: 'warn', DATA_DIR: dataDir, CONFIG_FILE };
  const launch = () =>
    fork(join(projectFolder, program), {
      env,
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  queue.startWorkers?.({ launch, idleExitMs: 30_000, onStopAsked: () => {} });
}
