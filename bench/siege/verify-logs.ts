import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tally } from './tally.js';
import type { Broken } from './verify-api.js';

/** Log texts that always mean a bug. */
const mistakes =
  /unhandled|uncaught|"level":60|\b(?:TypeError|ReferenceError|RangeError|AssertionError|StaleVersion)\b|MaxListenersExceeded/;

const SHOWN = 10;
const ERROR = 50;

/** Reads the logs of all processes and counts their errors by message. */
export async function verifyLogs(
  folder: string,
  { tally, wrong }: { tally: Tally; wrong: (what: string) => void },
): Promise<Broken> {
  let found = 0;
  for (const name of await readdir(folder)) {
    for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
      const message = /"level":(\d+).*"msg":"([^"]*)"/.exec(line);
      if (Number(message?.[1] ?? 0) >= ERROR) tally.add(`logged errors: ${message?.[2]}`);
      if (!mistakes.test(line)) continue;
      found += 1;
      if (found <= SHOWN) wrong(`${name}: ${line.slice(0, 1500)}`);
    }
  }
  return { 'mistakes in the logs': found };
}
