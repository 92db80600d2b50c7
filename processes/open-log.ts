import { format } from 'node:util';
import { pino } from 'pino';
import type { Log } from '../core/ports/log.port.js';
import { trailFields } from '../core/tracing/trail.js';
import { errorFields, stackOf } from './error-fields.js';
import { type LogOutput, logOutput } from './log-output.js';
import { prettyLine } from './pretty-line.js';

export interface ProcessLog {
  log: Log;
  flush: LogOutput['flush'];
}

/**
 * Opens the log of this process on standard output: a JSON object per line, or readable lines at a terminal. Without a
 * level, a terminal shows only warnings and errors, to be readable at a first try.
 */
export function openLog(chosenLevel: string | null, processName: string): ProcessLog {
  const isTerminal = process.stdout.isTTY === true;
  const level = chosenLevel ?? (isTerminal ? 'warn' : 'info');
  const output = logOutput(process.stdout);
  // Ignore errors of standard error, because nothing can be reported if it is closed, too.
  process.stderr.on('error', () => {});
  const sink = isTerminal ? { write: (line: string) => output.write(prettyLine(line)) } : output;
  const serializers = { err: errorFields };
  const log: Log = pino({ level, base: { process: processName }, mixin: trailFields, serializers }, sink);
  redirectConsole(log);
  return { log, flush: output.flush };
}

const levels = { error: 'error', warn: 'warn', log: 'info', info: 'info', debug: 'debug' } as const;
type ConsoleMethod = keyof typeof levels;

/** Replaces an error by its stack, because formatting would show all its properties. */
const plain = (word: unknown): unknown => (word instanceof Error ? stackOf(word) : word);

/**
 * Redirects console output of libraries, such as Sequelize after a failed rollback, and warnings of Node.js to the
 * log.
 */
function redirectConsole(log: Log): void {
  for (const [method, level] of Object.entries(levels) as [ConsoleMethod, (typeof levels)[ConsoleMethod]][])
    console[method] = (...words: unknown[]) => log[level]({ from: 'console' }, format(...words.map(plain)));
  process
    .removeAllListeners('warning')
    .on('warning', (warning) => log.warn({ err: warning }, 'a warning from Node'));
}
