export type Row = Record<string, unknown>;

/** What a statement read or, when it wrote, how many rows it changed and the key that it counted up to. */
export interface Answer {
  rows: Row[];
  changed: number;
  insertedId: number;
}

/** A statement, and whether its text comes again: then it is worth preparing. */
export interface Statement {
  sql: string;
  params: unknown[];
  prepared: boolean;
}
