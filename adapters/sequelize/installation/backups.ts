import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';
import { BACKUP } from '../tables/meta.js';
import type { Models } from '../tables/models.js';

export const createBackups = ({ read }: Connection, models: Models, transact: Transact) => ({
  async recordBackup(at: number): Promise<void> {
    await transact((transaction) => models.meta.upsert({ name: BACKUP, value: String(at) }, { transaction }));
  },
  async lastBackupAt(): Promise<number | null> {
    const [row] = await read(`SELECT value FROM meta WHERE name = '${BACKUP}'`, []);
    return row === undefined ? null : Number(row.value);
  },
});
