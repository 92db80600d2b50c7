import { statSync } from 'node:fs';
import type { Health } from '../../../core/ports/health.js';
import type { Models } from '../tables/models.js';
import type { Connection } from './connection.js';
import type { Transact } from './transact.js';

/** The row of meta that is written to see whether writing works. */
const PULSE = 'pulse';
/** However often it is asked for, it is written no more often. */
const EVERY_MS = 3000;

/**
 * Whether the database can be read and takes a write. With a full disk reads go on working, and so do writes
 * to a file that was deleted, which nobody will ever find again.
 */
export function createDatabaseHealth(
  { read, file }: Connection,
  models: Models,
  transact: Transact,
): () => Promise<Health> {
  const inode = () => (file === null ? undefined : statSync(file, { throwIfNoEntry: false })?.ino);
  const opened = inode();
  let written: { at: number; ended: Promise<unknown> } | undefined;

  const write = (): Promise<unknown> =>
    transact((transaction) =>
      models.meta.upsert({ name: PULSE, value: new Date().toISOString() }, { transaction }),
    );

  /** The last write, while it is under way or young; else a new one. */
  function pulse(): Promise<unknown> {
    if (written && performance.now() - written.at < EVERY_MS) return written.ended;
    const beat = { at: Number.POSITIVE_INFINITY, ended: write() };
    const age = () => {
      beat.at = performance.now();
    };
    beat.ended.then(age, age);
    written = beat;
    return beat.ended;
  }

  return async () => {
    if (inode() !== opened) return { ok: false, reason: 'the database file was removed or replaced' };
    try {
      await read('SELECT id FROM workspaces LIMIT 1', []);
      await pulse();
      return { ok: true };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  };
}
