import { readFileSync } from 'node:fs';
import { inCorpus, missingFromCorpus } from './folder.js';

/** Why the tests with tables of the corpus are skipped, or false. */
export const corpusMissing = missingFromCorpus();

/** A table of the corpus; `name` is its path inside. */
export const corpusTable = <T>(name: string): T => JSON.parse(readFileSync(inCorpus(name), 'utf8')) as T;
