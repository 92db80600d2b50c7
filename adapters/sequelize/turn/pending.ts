import type { DocumentRow, JobRow, UploadRow } from '../../../core/ports/store/rows.js';
import type { Statements } from '../database/statements.js';
import { insertRows, updateRows, type Values } from '../database/write-rows.js';
import { documentColumns, documents, partsOfDocuments } from '../tables/documents.js';
import { jobs } from '../tables/jobs.js';
import { type StoredTask, taskColumns, tasks } from '../tables/tasks.js';
import { discards, uploads } from '../tables/uploads.js';
import { type Contents, createContents } from './contents.js';
import { type HeldRows, heldRows } from './held-rows.js';
import { type NewPageChange, writePageChanges } from './page-changes.js';
import { type Undo, type UndoableMap, undoableMap } from './undo.js';

/** Rows that the turn has read or changed, and other writes that wait for its end. */
export interface Pending {
  tasks: HeldRows<string, StoredTask>;
  jobs: HeldRows<number, JobRow>;
  documents: HeldRows<string, DocumentRow>;
  uploads: HeldRows<string, UploadRow>;
  contents: Contents;
  /** Changes of pages, by document. */
  pageChanges: UndoableMap<string, NewPageChange | null>;
  /** Storage objects to delete after the commit, with the second in which they were discarded. */
  discards: UndoableMap<string, number>;
}

export const createPending = (undo: Undo): Pending => ({
  tasks: heldRows(undo),
  jobs: heldRows(undo),
  documents: heldRows(undo),
  uploads: heldRows(undo),
  contents: createContents(undo),
  pageChanges: undoableMap(undo),
  discards: undoableMap(undo),
});

interface Written<K, R> {
  table: string;
  key: string;
  held: HeldRows<K, R>;
  columns(row: Partial<R>): Values;
}

/**
 * Writes the turn's pending changes, sent together: one statement per table and kind of change, always in the same
 * order. Deletions come first, because two documents of an agent never have the same URL.
 */
export async function writePending(statements: Statements, pending: Pending): Promise<void> {
  await Promise.all([
    writeRows(statements, {
      table: tasks.name,
      key: 'id',
      held: pending.tasks,
      columns: (row) => tasks.byColumn(taskColumns(row)),
    }),
    writeRows(statements, {
      table: jobs.name,
      key: 'id',
      held: pending.jobs,
      columns: (row) => jobs.byColumn(jobs.encode(row)),
    }),
    removeContents(statements, pending.documents.removals()),
    writeRows(statements, {
      table: documents.name,
      key: 'id',
      held: pending.documents,
      columns: (row) => documents.byColumn(documentColumns(row)),
    }),
    pending.contents.write(statements, statements.dialect),
    writePageChanges(
      statements,
      [...pending.pageChanges.map.values()].filter((change) => change !== null),
    ),
    writeRows(statements, {
      table: uploads.name,
      key: 'path',
      held: pending.uploads,
      columns: (row) => uploads.byColumn(uploads.encode(row)),
    }),
    // An object that was discarded before gets the new time.
    insertRows(
      statements,
      discards.name,
      [...pending.discards.map].map(([path, now]) => ({ path, created_at: now })),
      { dialect: statements.dialect, key: 'path', columns: ['created_at'] },
    ),
  ]);
  pending.discards.clear();
  pending.pageChanges.clear();
}

async function writeRows<K, R>(
  statements: Statements,
  { table, key, held, columns }: Written<K, R>,
): Promise<void> {
  const patches = held.patches().map(([key, patch]) => ({ key, values: columns(patch) }));
  await Promise.all([
    removeRows(statements, table, key, held.removals()),
    insertRows(statements, table, held.inserts().map(columns)),
    updateRows(statements, statements.dialect, table, key, patches),
  ]);
  held.written();
}

const removeRows = async (
  { execute }: Pick<Statements, 'execute'>,
  table: string,
  key: string,
  keys: unknown[],
) => (keys.length === 0 ? null : execute(`DELETE FROM ${table} WHERE ${key} IN (?)`, [keys]));

const removeContents = (statements: Statements, documentIds: string[]) =>
  Promise.all(partsOfDocuments.map((table) => removeRows(statements, table, 'document_id', documentIds)));
