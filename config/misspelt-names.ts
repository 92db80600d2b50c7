import { editDistance } from './closest-name.js';
import type { Environment } from './environment.js';

/** A setting whose misspelling would make the process use another database, queue or folder without any error. */
interface Meant {
  name: string;
  /** Names that other products use for the same setting. */
  synonyms: readonly string[];
  /** Pattern of its values, because a similar name may belong to another program. */
  holds: RegExp;
}

export const databaseName: Meant = {
  name: 'DATABASE_URL',
  synonyms: ['DB_URL', 'DB_URI', 'DATABASE_URI', 'MYSQL_URL', 'MYSQL_URI', 'MARIADB_URL', 'SQLITE_URL'],
  holds: /^(mysql|mariadb|sqlite):/,
};
export const queueName: Meant = {
  name: 'AMQP_URL',
  synonyms: ['AMQP_URI', 'AMQPS_URL', 'RABBITMQ_URL', 'RABBITMQ_URI', 'RABBIT_URL'],
  holds: /^amqps?:\/\//,
};
export const storageName: Meant = {
  name: 'AZURE_STORAGE_CONNECTION_STRING',
  synonyms: ['AZURE_CONNECTION_STRING', 'AZURE_BLOB_CONNECTION_STRING'],
  holds: /AccountName=|BlobEndpoint=/i,
};

const MAX_EDITS = 2;

/**
 * If the setting is unset, returns a sentence about a variable that was probably meant to set it; otherwise
 * undefined.
 */
export function misspelling(env: Environment, { name: meant, synonyms, holds }: Meant): string | undefined {
  if (env[meant] || env[`${meant}_FILE`]) return undefined;
  const found = Object.entries(env).find(
    ([name, value]) =>
      value !== undefined &&
      holds.test(value) &&
      (synonyms.includes(name.toUpperCase()) || editDistance(name.toUpperCase(), meant) <= MAX_EDITS),
  );
  return found && `${found[0]} is not a known setting. Did you mean ${meant}? Rename it, or unset it`;
}
