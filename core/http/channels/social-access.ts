import { existing } from '../../errors/api-error.js';
import type { ConnectionRow } from '../../ports/store/channels/channels.js';
import type { Services } from '../services.js';

export const SOCIAL = '/agents/:agentId/channels/social';

/** Returns the connection of the agent. Throws SOCIAL_NOT_CONNECTED if the agent is not connected. */
export const connected = async (
  { social }: Pick<Services, 'social'>,
  agentId: string,
): Promise<ConnectionRow> => existing(await social.connection(agentId), 'SOCIAL_NOT_CONNECTED');
