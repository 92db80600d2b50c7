import { setImmediate as afterOthers } from 'node:timers/promises';
import { StoreBusy, StoreUnavailable } from '../../core/ports/store/store-errors.js';
import type { Connection, Row } from './connection.js';
import { filled } from './in-lists.js';
import { agentFields } from './tables/agents.js';
import type { Transact } from './transact.js';
import { bytesOf, type Values } from './turn/write-rows.js';

/** An agent's row with all that a turn may change of it alone. Ends as statements do that can be shared. */
export const agentRow = `SELECT ${agentFields}, settings FROM agents WHERE id IN (?)`;

interface Change {
  /** As it was read. */
  row: Row;
  /** Of the columns that change; the new version is among them. */
  values: Values;
}

/**
 * Writes the row of an agent, in a transaction of its own, if it still has the version that was read. False,
 * with nothing written, when somebody else wrote it first, or contention undid it. Survives a lost connection
 * where the row tells what became of the change; else rejects with StoreUnavailable. Rejects with StoreBusy
 * when there was no seat in time.
 */
export type ChangeAgent = (change: Change) => Promise<boolean>;

/** How many rows a statement has changed, of those that it was to change. */
interface Sent {
  changed: number;
  of: number;
}

/** Changes of the same columns that will be sent together. */
interface Batch {
  changes: Change[];
  bytes: number;
  sent: Promise<Sent>;
}

/** Rows that one statement writes at most: it waits for the lock of each. */
const MOST_ROWS = 32;
const MOST_BYTES = 262_144;
/** Times that a change is sent, as long as it is sure that it was not written. */
const MOST_TRIES = 3;

/**
 * Changes of a workspace's agents that arrive together, or wait together for a connection, share a statement.
 * It writes all rows or none.
 */
export function createAgentChanges(
  connection: Pick<Connection, 'dialect' | 'readRow'>,
  transact: Pick<Transact, 'alone'>,
): ChangeAgent {
  const open = new Map<string, Batch>();
  // A local database has nothing to gain, and no error for two rows where one is expected.
  const mostRows = connection.dialect === 'mysql' ? MOST_ROWS : 1;

  async function send(changes: Change[], close: () => void): Promise<Sent> {
    const statement = (): [string, unknown[]] => {
      close();
      return statementOf(changes);
    };
    try {
      const answer = await transact.alone(statement, changes[0]?.row.workspace_id as string);
      return { changed: answer?.changed ?? 0, of: changes.length };
    } catch (error) {
      // A shared statement writes nothing when one row has an old version, or values that the database
      // refuses. Then each can be tried by itself.
      if (changes.length === 1 || error instanceof StoreBusy || error instanceof StoreUnavailable)
        throw error;
      return { changed: 0, of: changes.length };
    } finally {
      close();
    }
  }

  const alone = (change: Change): Promise<Sent> => send([change], () => {});

  function together(change: Change): Promise<Sent> {
    const bytes = bytesOf(change.values);
    if (mostRows === 1 || bytes > MOST_BYTES) return alone(change);
    const { row, values } = change;
    const kind = `${row.workspace_id} ${Object.keys(values)}`;
    let batch = open.get(kind);
    if (!batch || !hasRoom(batch, change, bytes)) {
      batch = openBatch(kind);
      open.set(kind, batch);
    }
    batch.changes.push(change);
    batch.bytes += bytes;
    return batch.sent;
  }

  const hasRoom = ({ changes, bytes }: Batch, { row }: Change, more: number): boolean =>
    changes.length < mostRows &&
    bytes + more <= MOST_BYTES &&
    changes.every((other) => other.row.id !== row.id);

  function openBatch(kind: string): Batch {
    const changes: Change[] = [];
    const close = () => {
      if (open.get(kind)?.changes === changes) open.delete(kind);
    };
    return { changes, bytes: 0, sent: afterOthers().then(() => send(changes, close)) };
  }

  /** What became of a change that may have been written; null when others have written the row since. */
  async function fateOf({ row, values }: Change): Promise<'written' | 'not yet' | 'never' | null> {
    const now = await connection.readRow(agentRow, row.id as string);
    if (!now) return 'never';
    const since = Number(now.version) - Number(row.version);
    if (since === 0) return 'not yet';
    if (since > 1) return null;
    // If somebody else wrote exactly the same, the change counts as written.
    return isSame(now, { ...row, ...values }) ? 'written' : 'never';
  }

  return async (change) => {
    let doubt: unknown = null;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      try {
        const { changed, of } = await (tries === 0 ? together(change) : alone(change));
        if (changed === of) return true;
        if (doubt === null) {
          // The rows that still exist.
          if (changed > 0) return (await connection.readRow(agentRow, change.row.id as string)) !== null;
          if (of === 1) return false;
          continue;
        }
      } catch (error) {
        // Nothing was sent for who found no seat in time: it waits for no other one.
        if (error instanceof StoreBusy || !(error instanceof StoreUnavailable)) throw doubt ?? error;
        doubt = error;
      }
      const fate = await fateOf(change).catch((error: unknown) => {
        throw doubt ?? error;
      });
      if (fate === 'written') return true;
      if (fate === 'never') return false;
      if (fate === null) break;
    }
    if (doubt !== null) throw doubt;
    return false;
  };
}

function statementOf(changes: Change[]): [string, unknown[]] {
  const [first] = changes;
  if (!first) throw new RangeError('no change to write');
  if (changes.length === 1) return changeOfAgent(first.row.id, first.row.version, first.values);
  // Statements for few lengths: the driver keeps them prepared.
  const rows = filled(changes);
  const byRow = `CASE id ${rows.map(() => 'WHEN ? THEN ?').join(' ')} END`;
  const columns = Object.keys(first.values).filter((column) => column !== 'version');
  // Two rows where one is expected: that ends the statement, and nothing of it stays.
  const version = `version = IF(version = ${byRow}, version + 1, (SELECT 1 UNION SELECT 2))`;
  const others = columns.map((column) => `${column} = ${byRow}`);
  return [
    `UPDATE agents FORCE INDEX (PRIMARY) SET ${[version, ...others].join(', ')} WHERE id IN (${rows.map(() => '?').join(', ')})`,
    [
      ...rows.flatMap(({ row }) => [row.id, row.version]),
      ...columns.flatMap((column) => rows.flatMap(({ row, values }) => [row.id, values[column]])),
      ...rows.map(({ row }) => row.id),
    ],
  ];
}

const isSame = (one: Row, other: Row): boolean =>
  Object.keys(one).every((column) => textOf(one[column]) === textOf(other[column]));

/** Drivers give back numbers of some columns as texts. */
const textOf = (value: unknown): string | null => (value == null ? null : String(value));

/** One row by its version. */
export function changeOfAgent(id: unknown, version: unknown, values: Values): [string, unknown[]] {
  const columns = Object.keys(values).map((column) => `${column} = ?`);
  return [
    `UPDATE agents SET ${columns.join(', ')} WHERE id = ? AND version = ?`,
    [...Object.values(values), id, version],
  ];
}
