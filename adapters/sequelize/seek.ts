import type { Connection } from './connect.js';

/**
 * Names the index in which a page of a list is sought. MySQL and MariaDB take an equal owner for enough otherwise, and walk from the newest row
 * of the list to the page; SQLite seeks by itself. Null leaves the choice to the database.
 */
export const seek = ({ dialect }: Pick<Connection, 'dialect'>, index: string | null): string =>
  dialect === 'mysql' && index !== null ? ` FORCE INDEX (${index})` : '';
