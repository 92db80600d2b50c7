import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../project-folder.js';

const corpus = path.resolve(projectFolder, '../shared/corpus');

/** A path in the shared corpus, a sibling folder outside the project. */
export const inCorpus = (...parts: string[]): string => path.join(corpus, ...parts);

/** Why tests with this part of the corpus are skipped, or false. */
export const missingFromCorpus = (...parts: string[]): string | false =>
  existsSync(inCorpus(...parts)) ? false : 'the shared corpus is not here';
