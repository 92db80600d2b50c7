import { createHash } from 'node:crypto';

/** Names an installation to others that use its queue or its storage. Derived from its secret, without revealing it. */
export const installationId = (secret: Uint8Array): string =>
  createHash('sha256').update('installation').update(secret).digest('hex');

/** As much of it as people compare. */
export const shortId = (id: string): string => id.slice(0, 12);
