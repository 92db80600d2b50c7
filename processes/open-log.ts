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

/** All log output of this process, on standard output: one JSON object per line or, at a terminal, readable lines. */
export function openLog(level: string, processName: string): ProcessLog {
  const output = logOutput(process.stdout);
  // Its reader may be gone as well, and there is nobody left to tell.
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

/** Formatted as it is, an error would show all that hangs onto it. */
const plain = (word: unknown): unknown => (word instanceof Error ? stackOf(word) : word);

/**
 * Libraries (Sequelize about a failed rollback) and Node itself write lines of their own: they become log lines, too.
 */
function takeOver(log: Log): void {
  for (const [method, level] of Object.entries(levels) as [ConsoleMethod, (typeof levels)[ConsoleMethod]][])
    console[method] = (...words: unknown[]) => log[level]({ from: 'console' }, format(...words.map(plain)));
  process
    .removeAllListeners('warning')
    .on('warning', (warning) => log.warn({ err: warning }, 'a warning from Node'));
}
