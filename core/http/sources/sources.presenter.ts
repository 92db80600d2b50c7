import { shownMetadata } from '../../knowledge/sources/shown-metadata.js';
import type { ShownDocument } from '../../ports/store/rows.js';

export const presentSource = ({
  id,
  title,
  sourceType,
  createdAt,
  lastCrawledAt,
  metadata,
  contentHash,
}: ShownDocument) => ({
  id,
  title,
  sourceType,
  createdAt,
  lastCrawledAt,
  sourceMetadata: { ...shownMetadata(metadata), contentHash },
});
