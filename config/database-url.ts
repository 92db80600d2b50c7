import { join } from 'node:path';
import type { Settings } from './settings.schema.js';

/** The configured database; the embedded default is a file in the data folder. */
export const databaseUrlOf = ({ database, dataDir }: Settings): string =>
  database.url ?? `sqlite:${join(dataDir, 'cadre.sqlite')}`;

export const isEmbedded = (url: string): boolean => url.startsWith('sqlite:');
