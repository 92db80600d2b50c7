import { inspect } from 'node:util';
import { CliError } from './cli-error.js';
import { escaped, escapedJson, escapedLines } from './escaped.js';
import { textFields, textTable } from './text-table.js';

/** Output of a command: one JSON document for scripts, or text for people. */
export interface Output {
  json: boolean;
  /** Prints the result. For people, prints `text`, or by default a table of the value. */
  result(value: object, text?: () => string): void;
  /** Prints a part of the result early, for people. */
  piece(text: string): void;
  /** Prints progress on standard error, for people. */
  note(text: string): void;
}

/** Tolerates that the reader of a pipe exits early, as in `jobs list | head`. */
export function readersMayLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

export const output = (json: boolean): Output => ({
  json,
  result(value, text = () => (Array.isArray(value) ? textTable(value) : textFields(value))) {
    console.log(json ? escapedJson(value) : escapedLines(text()));
  },
  piece(text) {
    if (!json) process.stdout.write(escapedLines(text));
  },
  note(text) {
    if (!json) console.error(escapedLines(text));
  },
});

/** Scripts read errors from standard output as well. */
export function refuse(error: unknown, json: boolean): void {
  const refusal = error instanceof CliError ? error : internal(error);
  const { code, message } = refusal;
  if (json) console.log(escapedJson({ error: { code, message } }));
  // Only these messages have several lines. All others may quote names and texts from other people.
  else console.error(`${code}: ${code === 'CONFIG_INVALID' ? escapedLines(message) : escaped(message)}`);
  process.exitCode = 1;
}

function internal(error: unknown): CliError {
  console.error(escapedLines(inspect(error)));
  return new CliError('INTERNAL', `${error instanceof Error ? error.message : String(error)}.`, {
    cause: error,
  });
}
