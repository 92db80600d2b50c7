import type { Workspace } from '../../core/ports/store/workspaces.js';
import type { Statements } from './statements.js';
import { workspaceOf } from './tables/workspaces.js';

/** The workspace as it is now, locked until the transaction ends; null when there is none. */
export async function lockWorkspace({ select, dialect }: Statements, id: string): Promise<Workspace | null> {
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  const [row] = await select(`SELECT * FROM workspaces WHERE id = ?${lock}`, [id]);
  return row ? workspaceOf(row) : null;
}
