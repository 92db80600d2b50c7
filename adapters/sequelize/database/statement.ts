export type Row = Record<string, unknown>;

/** Rows read, or the number of changed rows and the generated key. */
export interface StatementResult {
  rows: Row[];
  changed: number;
  insertedId: number;
}

/** `prepared`: the text is used repeatedly, so it is worth preparing. */
export interface Statement {
  sql: string;
  params: unknown[];
  prepared: boolean;
}
