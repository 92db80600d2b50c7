import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { BackupRefused, openBackup, restore } from './backup.js';

export interface VerifiedBackup {
  tables: number;
  rows: number;
  /** Name of the newest migration in the backup. */
  version: string;
}

interface Contents {
  rows: number;
  digest: string;
}

const PREFIX = '.cadre-verify-';
/** Longer than a verification takes. An older folder is that of a killed process. */
const LEFTOVER_MS = 12 * 3_600_000;

/** Deletes the folders of verifications that were killed. */
function deleteLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const isOld = name.startsWith(PREFIX) && Date.now() - statSync(path).mtimeMs > LEFTOVER_MS;
    if (isOld) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Restores a backup into a temporary file beside it, and compares every row with the backup. Throws BackupRefused
 * (BACKUP_INVALID).
 */
export function verifyBackup(from: string): VerifiedBackup {
  const backup = openBackup(from);
  deleteLeftovers(dirname(from));
  const folder = mkdtempSync(join(dirname(from), PREFIX));
  try {
    const file = join(folder, 'restored.sqlite');
    restore(file, from, { force: false });
    const restored = new DatabaseSync(file, { readOnly: true });
    try {
      return compared(from, contentsOf(backup), contentsOf(restored), backup);
    } finally {
      restored.close();
    }
  } finally {
    backup.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function compared(
  from: string,
  expected: Map<string, Contents>,
  found: Map<string, Contents>,
  backup: DatabaseSyncInstance,
): VerifiedBackup {
  for (const table of new Set([...expected.keys(), ...found.keys()]))
    if (expected.get(table)?.digest !== found.get(table)?.digest)
      throw new BackupRefused(
        'BACKUP_INVALID',
        `${from} cannot be restored: the restored table ${table} differs from the backup.`,
      );
  const [last] = backup.prepare('SELECT MAX(name) AS name FROM migrations').all() as { name: string }[];
  const rows = [...expected.values()].reduce((sum, table) => sum + table.rows, 0);
  return { tables: expected.size, rows, version: last?.name ?? '' };
}

/** Returns the number and a digest of the rows of each table. The digest includes the table's CREATE statement. */
function contentsOf(database: DatabaseSyncInstance): Map<string, Contents> {
  const tables = database
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all() as { name: string; sql: string }[];
  return new Map(tables.map(({ name, sql }) => [name, rowsOf(database, name, sql)]));
}

/** Hashes the rows in storage order, which a copy keeps. */
function rowsOf(database: DatabaseSyncInstance, table: string, sql: string): Contents {
  const hash = createHash('sha256').update(sql);
  let rows = 0;
  for (const row of database.prepare(`SELECT * FROM "${table}"`).iterate()) {
    rows += 1;
    for (const value of Object.values(row as Record<string, unknown>)) {
      const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
      hash.update(`${typeof value} ${bytes.length} `).update(bytes);
    }
  }
  return { rows, digest: hash.digest('hex') };
}
