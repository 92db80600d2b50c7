import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../project-folder.js';

const corpus = path.resolve(projectFolder, '../shared/corpus');

/** A path inside the shared corpus, which stands beside the project and is no part of it. */
export const inCorpus = (...parts: string[]): string => path.join(corpus, ...parts);

/** Why tests over this part of the corpus do not run here; false when they do. */
export const missingFromCorpus = (...parts: string[]): string | false =>
  existsSync(inCorpus(...parts)) ? false : 'the shared corpus is not here';
