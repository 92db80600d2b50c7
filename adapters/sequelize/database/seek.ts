import type { Connection } from './connection.js';

/**
 * Names the index for a page of a list. Otherwise MySQL and MariaDB look up the owner alone, and walk from the
 * newest row of the list to the page; SQLite needs no hint. Null leaves the choice to the database.
 */
export const seek = ({ dialect }: Pick<Connection, 'dialect'>, index: string | null): string =>
  dialect === 'mysql' && index !== null ? ` FORCE INDEX (${index})` : '';
