import { QueryTypes, type Transaction } from 'sequelize';
import type { Workspace } from '../../core/ports/store/workspaces.js';
import type { Connection, Row } from './connect.js';
import { workspaceOf } from './tables/workspaces.js';

/** The workspace as it is now, locked until the transaction ends; null when there is none. */
export async function lockWorkspace(
  { sequelize, dialect }: Connection,
  transaction: Transaction,
  id: string,
): Promise<Workspace | null> {
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const [row] = await sequelize.query<Row>(`SELECT * FROM workspaces WHERE id = ?${lock}`, {
    replacements: [id],
    transaction,
    type: QueryTypes.SELECT,
  });
  return row ? workspaceOf(row) : null;
}
