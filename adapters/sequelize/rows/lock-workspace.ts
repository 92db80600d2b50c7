import type { Workspace } from '../../../core/ports/store/workspaces.js';
import type { Statements } from '../database/statements.js';
import { workspaceOf } from '../tables/workspaces.js';

const look = async ({ select }: Statements, id: string, lock: string): Promise<Workspace | null> => {
  const [row] = await select(`SELECT * FROM workspaces WHERE id = ?${lock}`, [id]);
  return row ? workspaceOf(row) : null;
};

/** Returns the workspace and locks it until the transaction ends; null if it does not exist. */
export const lockWorkspace = (statements: Statements, id: string): Promise<Workspace | null> =>
  look(statements, id, statements.dialect === 'mysql' ? ' FOR UPDATE' : '');

/** Returns the last committed workspace; null if it does not exist. */
export const readWorkspace = (statements: Statements, id: string): Promise<Workspace | null> =>
  look(statements, id, '');
