import type { Owner } from '../../core/fairness/owner.js';

/** An owner for tests in which it makes no difference. */
export const someone: Owner = { workspaceId: 'workspace', agentId: 'agent' };
