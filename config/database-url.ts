import { join } from 'node:path';
import type { IndexedDatabase } from '../core/ports/plugin.port.js';
import type { Settings } from './settings.schema.js';

/** The configured database; by default a file in the data folder. */
export const databaseUrlOf = ({ database, dataDir }: Settings): string =>
  database.url ?? `sqlite:${join(dataDir, 'cadre.sqlite')}`;

export const isEmbedded = (url: string): boolean => url.startsWith('sqlite:');

/** The file of an embedded database, as configured. */
export const fileOf = (url: string): string => url.replace(/^sqlite:(\/\/(?=\/))?/, '');

/** Connection settings for the store and for other readers of the database. */
export const databaseOf = (settings: Settings): Omit<IndexedDatabase, 'memoryBytes' | 'vectorBytes'> => ({
  url: databaseUrlOf(settings),
  poolSize: settings.database.poolSize,
  statementTimeoutMs: settings.database.statementTimeoutMs,
});

const MIB = 1_048_576;

/** Connection settings for a search engine that reads the segments in the database. */
export const indexedDatabase = (settings: Settings): IndexedDatabase => ({
  ...databaseOf(settings),
  memoryBytes: settings.retrieval.memoryMb * MIB,
  vectorBytes: settings.retrieval.vectorMemoryMb * MIB,
});
