import type { Party } from '../../core/jobs/party.js';

/** Whose work something is, where that makes no difference. */
export const someone: Party = { workspaceId: 'workspace', agentId: 'agent' };
