import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Covers the agent, so that two agents never share a picture, and deleting one takes none of the other. */
export const pictureHash = (agentId: string, bytes: Uint8Array): string =>
  createHash('sha256').update(`${agentId}\0`).update(bytes).digest('hex');

/** Returns a new path in storage. */
export const picturePath = (agentId: string): string => `agents/${agentId}/pictures/${uuidv7()}`;
