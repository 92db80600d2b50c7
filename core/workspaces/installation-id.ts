import { createHash } from 'node:crypto';

/** Derives the id of an installation from its secret, without revealing it. */
export const installationId = (secret: Uint8Array): string =>
  createHash('sha256').update('installation').update(secret).digest('hex');

/** Shortens an id for display. */
export const shortId = (id: string): string => id.slice(0, 12);
