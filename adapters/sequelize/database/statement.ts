export type Row = Record<string, unknown>;

/** Rows read, or the number of changed rows and the generated key. */
export interface StatementResult {
  rows: Row[];
  changed: number;
  insertedId: number;
}

/** `prepared`: the same text comes again, so preparing it pays off. */
export interface Statement {
  sql: string;
  params: unknown[];
  prepared: boolean;
}
