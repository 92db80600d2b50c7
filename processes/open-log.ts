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

/** Opens the log of this process on standard output: one JSON object per line or, at a terminal, readable lines. */
export function openLog(level: string, processName: string): ProcessLog {
  const output = logOutput(process.stdout);
  // If standard error is closed as well, nothing can be reported.
  process.stderr.on('error', () => {});
  const sink =
    process.stdout.isTTY === true ? { write: (line: string) => output.write(prettyLine(line)) } : output;
  const serializers = { err: errorFields };
  const log: Log = pino({ level, base: { process: processName }, mixin: trailFields, serializers }, sink);
  takeOver(log);
  return { log, flush: output.flush };
}

const levels = { error: 'error', warn: 'warn', log: 'info', info: 'info', debug: 'debug' } as const;
type ConsoleMethod = keyof typeof levels;

/** Formatting would show all properties of an error. */
const plain = (word: unknown): unknown => (word instanceof Error ? stackOf(word) : word);

/** Redirects lines written by libraries (Sequelize about a failed rollback) and Node itself to the log. */
function takeOver(log: Log): void {
  for (const [method, level] of Object.entries(levels) as [ConsoleMethod, (typeof levels)[ConsoleMethod]][])
    console[method] = (...words: unknown[]) => log[level]({ from: 'console' }, format(...words.map(plain)));
  process
    .removeAllListeners('warning')
    .on('warning', (warning) => log.warn({ err: warning }, 'a warning from Node'));
}
