import type { JsonObject } from '../../schemas/json.js';

/** Returns the metadata for clients, without the internal fields of page-validators.ts and held-back.ts. */
export const shownMetadata = ({ validators: _, heldBack: __, ...metadata }: JsonObject): JsonObject =>
  metadata;
