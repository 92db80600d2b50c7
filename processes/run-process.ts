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
import { tellStart } from './start-lines.js';
import { startProblem } from './start-problem.js';
import type { StopRequests } from './stop-requests.js';
import type { Running, Surroundings } from './surroundings.js';

/*
 * One process: settings, then plugins, then what its roles say, then an ordered stop. A process with both roles runs
 * the API itself and its worker as a child: a parser that aborts a process must not take the API with it.
 */

/** EX_TEMPFAIL of sysexits.h: the supervisor starts another process. */
const START_ME_AGAIN = 75;
/** How long the last log lines may take. */
const LAST_LINES_MS = 500;
/** How long sending the last spans may take. */
const LAST_SPANS_MS = 1000;

const surroundings = { env: process.env, cwd: process.cwd() };

/** Runs until it is asked to stop; ends the process. `warning` is what there is to say about this machine. */
export async function runProcess(requests: StopRequests, warning: string | null): Promise<void> {
  let settings: Settings;
  try {
    settings = loadSettings({ ...surroundings, workerHost: process.send !== undefined });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    giveUp(error.message);
    return;
  }
  const role = settings.roles.includes('api') ? 'api' : 'worker';
  const processName = `${role}-${hostname()}-${process.pid}`;
  const { log, flush } = openLog(settings.logLevel, processName);
  if (warning !== null) log.warn({}, warning);
  tellStart(settings, log);
  const tracing = await openTracing(settings, processName, log);
  const end = async (exitCode: number) => {
    await tracing?.stop(LAST_SPANS_MS);
    await flush(LAST_LINES_MS);
    process.exit(exitCode);
  };
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'unexpected fault: the process ends');
    void end(1);
  });
  const stopping = new AbortController();
  let running: Running | null = null;
  let asked = false;

  function stop(why: string, exitCode = 0): void {
    if (asked) return;
    asked = true;
    const { drainDelayMs } = settings.http;
    if (!running?.drain || drainDelayMs === 0) {
      stopNow(why, exitCode);
      return;
    }
    running.drain();
    log.info({ why, drainDelayMs }, 'draining: not ready any more, requests are still served');
    void sleep(drainDelayMs, undefined, { signal: requests.insisted })
      .catch(() => {})
      .then(() => stopNow(why, exitCode));
  }

  function stopNow(why: string, exitCode: number): void {
    stopping.abort();
    log.info({ why }, 'stopping: no new work, what runs may finish');
    const { deadlineMs } = settings.shutdown;
    // Work that does not end in time is handed back: its rows and messages are still there.
    setTimeout(() => {
      log.warn(
        { deadlineMs },
        'stopped at the deadline; what was running starts again with the next process',
      );
      void end(exitCode);
    }, deadlineMs + 1000);
    // Asked to stop while still starting, it never comes to run: it has ended what it had begun.
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
    onMemoryKept: () => stop('memory was not given back: a fresh process takes over', START_ME_AGAIN),
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
    giveUp(error instanceof PluginError ? error.message : startProblem(error, settings));
  }
}

async function start(role: Role, context: Omit<Surroundings<Role>, 'plugins'>): Promise<Running> {
  const load = <R extends Role>(of: R) =>
    loadPlugins(context.settings.plugins, { baseDir: pluginBaseDir(surroundings), kinds: kindsOf(of) });
  // A worker never even loads the database driver, nor the API the crawler.
  if (role === 'api') {
    const plugins = await load('api');
    return (await import('./api-process.js')).startApi({ ...context, plugins });
  }
  const plugins = await load('worker');
  return (await import('./worker-process.js')).startWorkerProcess({ ...context, plugins });
}

/** For the person, or the supervisor, that started us: in plain words on standard error. */
function giveUp(problem: string): void {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
