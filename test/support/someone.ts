import type { Owner } from '../../core/fairness/owner.js';

/** Whose work something is, where that makes no difference. */
export const someone: Owner = { workspaceId: 'workspace', agentId: 'agent' };
