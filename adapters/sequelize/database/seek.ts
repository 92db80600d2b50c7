import type { Connection } from './connection.js';

/**
 * Names the index for a page of a list. Without it, MySQL and MariaDB look up the owner only and scan from the newest
 * row to the page. SQLite needs no hint. Null leaves the choice to the database.
 */
export const seek = ({ dialect }: Pick<Connection, 'dialect'>, index: string | null): string =>
  dialect === 'mysql' && index !== null ? ` FORCE INDEX (${index})` : '';
