import { createHash } from 'node:crypto';
import type { SourceType } from '../../../core/knowledge/source-types.js';
import type { DocumentRow } from '../../../core/ports/store/rows.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../connect.js';
import { bigint, bytes, integer, json, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const documents = table('documents', {
  id: primary(uuid),
  agentId: uuid,
  workspaceId: uuid,
  sourceType: text<SourceType>(),
  title: text(),
  bytes: bigint,
  url: orNull(text()),
  urlHash: orNull(text()),
  storagePath: orNull(text()),
  contentHash: text(),
  metadata: json<JsonObject>(),
  createdAt: bigint,
  lastCrawledAt: orNull(bigint),
});

export const contents = table('document_contents', {
  documentId: primary(uuid),
  agentId: uuid,
  text: long,
  chunks: json<unknown[]>(),
});

/** What documents are found by. */
export const terms = table('document_terms', {
  documentId: primary(uuid),
  agentId: uuid,
  version: integer,
  analysis: integer,
  sourceType: text<SourceType>(),
  segment: bytes,
});

/** Long URLs cannot be indexed whole. */
export const urlHash = (url: string): string => createHash('sha256').update(url).digest('hex');

export function documentOf(row: Row): DocumentRow {
  const { urlHash: _, ...document } = documents.decode(row);
  return document;
}

export const documentColumns = (patch: Partial<DocumentRow>): Record<string, unknown> =>
  documents.encode({
    ...patch,
    ...(patch.url === undefined ? {} : { urlHash: patch.url === null ? null : urlHash(patch.url) }),
  });
