import { insertRows, updateRows, type Values } from '../database/write-rows.js';
import { documentColumns, documents, partsOfDocuments } from '../tables/documents.js';
import { jobs } from '../tables/jobs.js';
import { taskColumns, tasks } from '../tables/tasks.js';
import { discards, uploads } from '../tables/uploads.js';
import type { HeldRows } from './held-rows.js';
import type { TurnScope } from './scope.js';

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
export async function writeHeld(scope: TurnScope): Promise<void> {
  await Promise.all([
    writeRows(scope, {
      table: tasks.name,
      key: 'id',
      held: scope.tasks,
      columns: (row) => tasks.byColumn(taskColumns(row)),
    }),
    writeRows(scope, {
      table: jobs.name,
      key: 'id',
      held: scope.jobs,
      columns: (row) => jobs.byColumn(jobs.encode(row)),
    }),
    removeContents(scope, scope.documents.removals()),
    writeRows(scope, {
      table: documents.name,
      key: 'id',
      held: scope.documents,
      columns: (row) => documents.byColumn(documentColumns(row)),
    }),
    scope.contents.write(scope, scope.dialect),
    writeRows(scope, {
      table: uploads.name,
      key: 'path',
      held: scope.uploads,
      columns: (row) => uploads.byColumn(uploads.encode(row)),
    }),
    // An object that was discarded before gets the new time.
    insertRows(
      scope,
      discards.name,
      [...scope.discards.map].map(([path, now]) => ({ path, created_at: now })),
      { dialect: scope.dialect, key: 'path', columns: ['created_at'] },
    ),
  ]);
  scope.discards.clear();
}

async function writeRows<K, R>(
  scope: TurnScope,
  { table, key, held, columns }: Written<K, R>,
): Promise<void> {
  const patches = held.patches().map(([key, patch]) => ({ key, values: columns(patch) }));
  await Promise.all([
    removeRows(scope, table, key, held.removals()),
    insertRows(scope, table, held.inserts().map(columns)),
    updateRows(scope, scope.dialect, table, key, patches),
  ]);
  held.written();
}

const removeRows = async ({ execute }: TurnScope, table: string, key: string, keys: unknown[]) =>
  keys.length === 0 ? null : execute(`DELETE FROM ${table} WHERE ${key} IN (?)`, [keys]);

const removeContents = (scope: TurnScope, documentIds: string[]) =>
  Promise.all(partsOfDocuments.map((table) => removeRows(scope, table, 'document_id', documentIds)));
