import { join } from 'node:path';
import type { IndexedDatabase } from '../core/ports/plugin.port.js';
import type { Settings } from './settings.schema.js';

/** Returns the URL of the configured database. Defaults to a file in the data folder. */
export const databaseUrlOf = ({ database, dataDir }: Settings): string =>
  database.url ?? `sqlite:${join(dataDir, 'cadre.sqlite')}`;

export const isEmbedded = (url: string): boolean => url.startsWith('sqlite:');

/** Returns the path of an embedded database's file, as configured. */
export const fileOf = (url: string): string => url.replace(/^sqlite:(\/\/(?=\/))?/, '');

/** Returns the connection settings of the store and other readers of the database. */
export const databaseOf = (settings: Settings): Omit<IndexedDatabase, 'memoryBytes' | 'vectorBytes'> => ({
  url: databaseUrlOf(settings),
  poolSize: settings.database.poolSize,
  statementTimeoutMs: settings.database.statementTimeoutMs,
});

const MIB = 1_048_576;

/** Returns the connection settings and memory limits of a search engine that reads the segments in the database. */
export const indexedDatabase = (settings: Settings): IndexedDatabase => ({
  ...databaseOf(settings),
  memoryBytes: settings.retrieval.memoryMb * MIB,
  vectorBytes: settings.retrieval.vectorMemoryMb * MIB,
});
