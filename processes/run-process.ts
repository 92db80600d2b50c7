import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config/config-error.js';
import { loadSettings, pluginBaseDir } from '../config/load-settings.js';
import type { Settings } from '../config/settings.schema.js';
import { kindsOf, type Role } from '../core/ports/plugin.port.js';
import { loadPlugins } from '../plugins/load-plugins.js';
import { PluginError } from '../plugins/plugin-error.js';
import { openLog } from './open-log.js';
import { openTracing } from './open-tracing.js';
import { logStart } from './start-lines.js';
import { startProblem } from './start-problem.js';
import type { StopRequests } from './stop-requests.js';
import type { Running, Surroundings } from './surroundings.js';

/*
 * Runs one process: loads settings and plugins, starts its role, and stops it gracefully. With both roles, the
 * process runs the API and starts the worker as a child, because a parser that crashes its process must not end the
 * API.
 */

/** Exit code EX_TEMPFAIL of sysexits.h, after which the supervisor starts another process. */
const START_ME_AGAIN = 75;
/** Timeout for writing the last log lines, in milliseconds. */
const LAST_LINES_MS = 500;
/** Timeout for sending the last spans, in milliseconds. */
const LAST_SPANS_MS = 1000;

const surroundings = { env: process.env, cwd: process.cwd() };

/** Runs until a stop is requested, then ends the process. `warning` is logged at the start. */
export async function runProcess(requests: StopRequests, warning: string | null): Promise<void> {
  let settings: Settings;
  try {
    settings = loadSettings({ ...surroundings, workerHost: process.send !== undefined });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    exitWithProblem(error.message);
    return;
  }
  const role = settings.roles.includes('api') ? 'api' : 'worker';
  const processName = `${role}-${hostname()}-${process.pid}`;
  const { log, flush } = openLog(settings.logLevel, processName);
  if (warning !== null) log.warn({}, warning);
  logStart(settings, log);
  const tracing = await openTracing(settings, processName, log);
  const end = async (exitCode: number) => {
    await tracing?.stop(LAST_SPANS_MS);
    await flush(LAST_LINES_MS);
    process.exit(exitCode);
  };
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'unexpected error: the process ends');
    void end(1);
  });
  const stopping = new AbortController();
  let running: Running | null = null;
  let isStopping = false;

  function stop(why: string, exitCode = 0): void {
    if (isStopping) return;
    isStopping = true;
    const { drainDelayMs } = settings.http;
    if (!running?.drain || drainDelayMs === 0) {
      stopNow(why, exitCode);
      return;
    }
    running.drain();
    log.info({ why, drainDelayMs }, 'draining: no longer ready, requests are still served');
    void sleep(drainDelayMs, undefined, { signal: requests.insisted })
      .catch(() => {})
      .then(() => stopNow(why, exitCode));
  }

  function stopNow(why: string, exitCode: number): void {
    stopping.abort();
    log.info({ why }, 'stopping: no new work, running work may finish');
    const { deadlineMs } = settings.shutdown;
    // Unfinished work is not lost, because its rows and messages still exist.
    setTimeout(() => {
      log.warn({ deadlineMs }, 'stopped at the deadline; unfinished work starts again in the next process');
      void end(exitCode);
    }, deadlineMs + 1000);
    // If a stop is requested during the start, wait for it, which stops the started parts.
    const ended = starting.then(
      (running) => running.stop(deadlineMs),
      () => {},
    );
    void ended.then(
      () => {
        log.info({}, 'stopped');
        return end(exitCode);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        return end(1);
      },
    );
  }

  const context = {
    settings,
    processName,
    log,
    tracing,
    stopping: stopping.signal,
    onStopAsked: stop,
    onMemoryKept: () => stop('memory was not freed: a new process takes over', START_ME_AGAIN),
  };
  const starting = start(role, context);
  requests.onRequest(stop);
  try {
    running = await starting;
    if (running.leavesSignalsToQueue) requests.release();
  } catch (error) {
    if (stopping.signal.aborted) return;
    log.debug({ err: error }, 'the process could not be started');
    await flush(LAST_LINES_MS);
    exitWithProblem(error instanceof PluginError ? error.message : startProblem(error, settings));
  }
}

async function start(role: Role, context: Omit<Surroundings<Role>, 'plugins'>): Promise<Running> {
  const load = <R extends Role>(of: R) =>
    loadPlugins(context.settings.plugins, { baseDir: pluginBaseDir(surroundings), kinds: kindsOf(of) });
  // Import only the role's module: a worker needs no database driver, and the API needs no crawler.
  if (role === 'api') {
    const plugins = await load('api');
    return (await import('./api-process.js')).startApi({ ...context, plugins });
  }
  const plugins = await load('worker');
  return (await import('./worker-process.js')).startWorkerProcess({ ...context, plugins });
}

/** Prints the problem on standard error and ends the process. */
function exitWithProblem(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
