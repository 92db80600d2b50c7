import type { Connection, DatabaseOptions } from './database/connection.js';
import { connectMysql } from './mysql/connect.js';
import { connectSqlite } from './sqlite/connect.js';

/** Opens the file, or creates the connection pools of a server. */
export const connect = (options: DatabaseOptions): Connection =>
  options.url.startsWith('sqlite:') ? connectSqlite(options.url) : connectMysql(options);
