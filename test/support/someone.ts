import type { Party } from '../../core/tasks/party.js';

/** Whose work something is, where that makes no difference. */
export const someone: Party = { workspaceId: 'workspace', agentId: 'agent' };
