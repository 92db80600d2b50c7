import type { Workspace } from '../../../core/ports/store/workspaces.js';
import type { Statements } from '../database/statements.js';
import { workspaceOf } from '../tables/workspaces.js';

const look = async ({ select }: Statements, id: string, lock: string): Promise<Workspace | null> => {
  const [row] = await select(`SELECT * FROM workspaces WHERE id = ?${lock}`, [id]);
  return row ? workspaceOf(row) : null;
};

/** The workspace as it is now, locked until the transaction ends; null when there is none. */
export const lockWorkspace = (statements: Statements, id: string): Promise<Workspace | null> =>
  look(statements, id, statements.dialect === 'mysql' ? ' FOR UPDATE' : '');

/** The workspace as it was last committed; null when there is none. */
export const readWorkspace = (statements: Statements, id: string): Promise<Workspace | null> =>
  look(statements, id, '');
