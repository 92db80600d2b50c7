import { shownMetadata } from '../../knowledge/urls/page-validators.js';
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
