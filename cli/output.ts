import { CliError } from './cli-error.js';
import { textFields, textTable } from './text-table.js';

/** How a command speaks: one JSON document for scripts, tables for people. */
export interface Output {
  json: boolean;
  /** The answer of the command. People see `text`; a table of the value is the default. */
  answer(value: object, text?: () => string): void;
  /** For people: a piece of the answer, before the rest of it. */
  piece(text: string): void;
  /** For people, on standard error: what goes on until the answer. */
  note(text: string): void;
}

/** The reader of our output may have enough: `jobs list | head`. */
export function readersMayLeave(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

export const output = (json: boolean): Output => ({
  json,
  answer(value, text = () => (Array.isArray(value) ? textTable(value) : textFields(value))) {
    console.log(json ? JSON.stringify(value, null, 2) : text());
  },
  piece(text) {
    if (!json) process.stdout.write(text);
  },
  note(text) {
    if (!json) console.error(text);
  },
});

/** An error is an answer, too: scripts find it on standard output. */
export function refuse(error: unknown, json: boolean): void {
  const refusal = error instanceof CliError ? error : internal(error);
  const { code, message } = refusal;
  if (json) console.log(JSON.stringify({ error: { code, message } }, null, 2));
  else console.error(`${code}: ${message}`);
  process.exitCode = 1;
}

function internal(error: unknown): CliError {
  console.error(error);
  return new CliError('INTERNAL', `${error instanceof Error ? error.message : String(error)}.`, {
    cause: error,
  });
}
