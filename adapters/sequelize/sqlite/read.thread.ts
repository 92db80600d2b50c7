import type { Row } from '../database/statement.js';
import { type Handle, openReader, select } from './handle.js';

export interface ReadTask {
  /** The same file in all tasks of a thread. */
  file: string;
  sql: string;
  params: unknown[];
}

let reader: Handle | undefined;

export function readRows({ file, sql, params }: ReadTask): Row[] {
  reader ??= openReader(file);
  return select(reader, sql, params);
}
