import { statSync } from 'node:fs';
import type { Health } from '../../../core/ports/health.js';
import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';
import type { Models } from '../tables/models.js';

/** Row of `meta` that the check writes. */
const PULSE = 'pulse';
/** Minimum interval between writes, however often health is requested. */
const EVERY_MS = 3000;

/**
 * Checks that the database can be read and written. Reads still work if the disk is full, and writes to a deleted
 * file succeed although they are lost.
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

  /** Returns the last write if it is recent or in progress, else starts one. */
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
