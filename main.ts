import { hostname } from 'node:os';
import { pino } from 'pino';
import { ConfigError } from './config/config-error.js';
import { loadSettings, pluginBaseDir } from './config/load-settings.js';
import type { Settings } from './config/settings.schema.js';
import { loadPlugins } from './plugins/load-plugins.js';
import { PluginError } from './plugins/plugin-error.js';
import type { Running, Surroundings } from './processes/surroundings.js';

/*
 * One process: settings, then plugins, then what its roles say, then an ordered stop. A process with both roles runs the API itself and its
 * worker as a child: a parser that aborts a process must not take the API with it.
 */

/** EX_TEMPFAIL of sysexits.h: whoever supervises us starts another one. */
const START_ME_AGAIN = 75;

const surroundings = { env: process.env, cwd: process.cwd() };

async function start(settings: Settings): Promise<{ stop: (why: string) => void; handsUp: boolean }> {
  const role = settings.roles.includes('api') ? 'api' : 'worker';
  const processName = `${role}-${hostname()}-${process.pid}`;
  const log = pino({ level: settings.logLevel, base: { process: processName } });
  const plugins = await loadPlugins(settings.plugins, { baseDir: pluginBaseDir(surroundings) });
  const onWorn = () => stop('memory was not given back: a fresh process takes over', START_ME_AGAIN);
  const context: Surroundings = { settings, plugins, processName, log, onStopAsked: stop, onWorn };

  let running: Running | undefined;
  let stopping = false;
  function stop(why: string, exitCode = 0): void {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping: no new work, what runs may finish');
    const { deadlineMs } = settings.shutdown;
    // What does not end in time is handed back: its rows and messages are still there.
    setTimeout(() => {
      log.warn(
        { deadlineMs },
        'stopped at the deadline; what was running starts again with the next process',
      );
      process.exit(exitCode);
    }, deadlineMs + 1000).unref();
    // Asked to stop while still starting: there is nothing to end yet.
    const ended = running ? running.stop(deadlineMs) : Promise.resolve();
    void ended.then(
      () => {
        log.info({}, 'stopped');
        process.exit(exitCode);
      },
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  }

  // A worker never even loads the database driver, nor the API the crawler.
  running = await (role === 'api'
    ? (await import('./processes/api-process.js')).startApi(context)
    : (await import('./processes/worker-process.js')).startWorkerProcess(context));
  // The local queue stops its worker itself, and hands signals up to the API; any other child of an API stops like a process of its own.
  const handsUp = process.send !== undefined && settings.plugins.queue.use === 'local';
  return { stop, handsUp };
}

/** `npm start` puts a shell between npm and us, which dies of npm's SIGTERM without passing it on. */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500).unref();
}

try {
  const { stop, handsUp } = await start(
    loadSettings({ ...surroundings, workerHost: process.send !== undefined }),
  );
  if (!handsUp) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
    process.on('disconnect', () => stop('the API that started this worker is gone'));
  }
  if (process.env.npm_lifecycle_event !== undefined) stopWithParent(() => stop('npm was stopped'));
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof PluginError;
  console.error(expected ? error.message : error);
  process.exit(1);
}
