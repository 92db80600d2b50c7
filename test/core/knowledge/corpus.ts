import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(process.cwd(), '../shared/corpus');

/** Why the tests over the shared corpus do not run here, or false when they do. */
export const corpusMissing: string | false = existsSync(folder) ? false : 'the shared corpus is not here';

/** A table of the corpus; `name` is its path inside. */
export const corpusTable = <T>(name: string): T =>
  JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as T;
