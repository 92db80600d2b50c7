import { CliError } from './cli-error.js';

/** How a command speaks: one JSON document for scripts, tables for people. */
export interface Output {
  json: boolean;
  /** The answer of the command. `people` prints it for them; a table of it is the default. */
  answer(value: object, people?: () => void): void;
}

export const output = (json: boolean): Output => ({
  json,
  answer(value, people) {
    if (json) console.log(JSON.stringify(value, null, 2));
    else if (people) people();
    else if (Array.isArray(value)) table(value);
    else list(value);
  },
});

function table(rows: object[]): void {
  if (rows.length === 0) console.log('none');
  else console.table(rows);
}

function list(value: object): void {
  const width = Math.max(...Object.keys(value).map((key) => key.length));
  for (const [key, inner] of Object.entries(value)) {
    console.log(`${key.padEnd(width)}  ${typeof inner === 'object' ? JSON.stringify(inner) : String(inner)}`);
  }
}

/** An error is an answer, too: scripts find it on standard output. */
export function refuse(error: unknown, json: boolean): void {
  const { code, message } =
    error instanceof CliError
      ? error
      : new CliError('INTERNAL', error instanceof Error ? error.message : String(error));
  if (json) console.log(JSON.stringify({ error: { code, message } }, null, 2));
  else console.error(`${code}: ${message}`);
  process.exitCode = 1;
}
