import { type ChildProcess, fork } from 'node:child_process';
import { constants, getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { derivedName } from '../config/setting-keys.js';
import type { Log } from '../core/ports/log.port.js';
import { kindNames, kindsOf, type PluginKind } from '../core/ports/plugin.port.js';

const main = fileURLToPath(
  new URL(`../main.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

const optionsName = (kind: PluginKind): string => derivedName(`plugins.${kind}.options`);

/** Variables with credentials that are not passed to a worker, because it handles untrusted pages and files. */
const withheld = [
  'DATABASE_URL',
  'BOOTSTRAP_API_KEY',
  ...kindNames.filter((kind) => !kindsOf('worker').some((own) => own === kind)).map(optionsName),
].flatMap((name) => [name, `${name}_FILE`]);

/**
 * Returns whether a variable is withheld. Options with their own variables, such as `…_OPTION_API_KEY`, are withheld,
 * too.
 */
const isWithheld = (name: string): boolean =>
  withheld.some((held) => name === held || name.startsWith(`${held.replace(/_OPTIONS$/, '_OPTION')}_`));

/** Starts a child process with `ROLES=worker`. It ends with this process. */
export function launchWorker(): ChildProcess {
  const env: NodeJS.ProcessEnv = { ...process.env, ROLES: 'worker' };
  for (const name of Object.keys(env)) if (isWithheld(name)) delete env[name];
  const child = fork(main, {
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  lowerPriority(child);
  return child;
}

/**
 * Lowers the priority of the child, so that requests take precedence over pages and files. Set immediately, because
 * threads inherit it.
 */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Ignore an error: the child has ended, or the system does not allow it. The priority is optional.
  }
}

const RESTART_MS = 1000;

export interface SupervisedWorker {
  stop(deadlineMs: number): Promise<void>;
}

/**
 * Starts a worker child and restarts it when it dies, for queues that do not start workers themselves. If the child
 * exits with 0 without a request, it was stopped from outside, so the whole service stops.
 */
export function superviseWorker({
  log,
  onStopAsked,
}: {
  log: Log;
  onStopAsked: (why: string) => void;
}): SupervisedWorker {
  let child = launchWorker();
  let stopping = false;
  let restart: NodeJS.Timeout | undefined;

  const watch = (): void => {
    child.once('error', (err) => log.error({ err }, 'the worker could not be started'));
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (code === 0) return onStopAsked('its worker was asked to stop');
      log.warn({ code, signal }, 'the worker died; starting another');
      restart = setTimeout(() => {
        child = launchWorker();
        watch();
      }, RESTART_MS);
    });
  };
  watch();

  return {
    async stop(deadlineMs) {
      stopping = true;
      clearTimeout(restart);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      await ended;
      clearTimeout(kill);
    },
  };
}
