import type { DocumentRow } from '../../ports/store/rows.js';

export const presentSource = ({
  id,
  title,
  sourceType,
  createdAt,
  lastCrawledAt,
  metadata,
  contentHash,
}: DocumentRow) => ({
  id,
  title,
  sourceType,
  createdAt,
  lastCrawledAt,
  sourceMetadata: { ...metadata, contentHash },
});
