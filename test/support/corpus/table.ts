import { readFileSync } from 'node:fs';
import { inCorpus, missingFromCorpus } from './folder.js';

/** Why the tests over the corpus's tables do not run here, or false when they do. */
export const corpusMissing = missingFromCorpus();

/** A table of the corpus; `name` is its path inside. */
export const corpusTable = <T>(name: string): T => JSON.parse(readFileSync(inCorpus(name), 'utf8')) as T;
