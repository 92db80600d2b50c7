import { createHash } from 'node:crypto';
import type { SourceType } from '../../../core/knowledge/sources/source-types.js';
import type { DocumentRow, ShownDocument } from '../../../core/ports/store/rows.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../database/connection.js';
import { bigint, bytes, integer, json, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

const shown = {
  id: primary(uuid),
  sourceType: text<SourceType>(),
  title: text(),
  contentHash: text(),
  metadata: json<JsonObject>(),
  createdAt: bigint,
  lastCrawledAt: orNull(bigint),
};

export const documents = table('documents', {
  ...shown,
  agentId: uuid,
  workspaceId: uuid,
  bytes: bigint,
  url: orNull(text()),
  urlHash: orNull(text()),
  storagePath: orNull(text()),
  updatedAt: bigint,
});

const shownColumns = table('documents', shown);

/** The columns that the API returns. */
export const shownFields = shownColumns.list({ of: 'documents' });
export const shownOf = (row: Row): ShownDocument => shownColumns.decode(row);

export const contents = table('document_contents', {
  documentId: primary(uuid),
  agentId: uuid,
  text: long,
  chunks: json<unknown[]>(),
});

/** Index terms of documents. */
export const terms = table('document_terms', {
  documentId: primary(uuid),
  agentId: uuid,
  version: integer,
  analysis: integer,
  sourceType: text<SourceType>(),
  segment: bytes,
});

/** Vectors of chunks, if requested; null until they arrive. */
export const vectors = table('document_vectors', {
  documentId: primary(uuid),
  agentId: uuid,
  space: text(),
  version: integer,
  chunks: integer,
  dueAt: bigint,
  dimensions: orNull(integer),
  vectors: orNull(bytes),
});

/** The tables with further data of a document. */
export const partsOfDocuments = [
  'document_terms',
  'document_vectors',
  'document_contents',
  'page_changes',
] as const;

/** Returns a hash for the index, because long URLs cannot be indexed in full. */
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

/**
 * Condition on document `t` and its vectors `v`, if any: it lacks vectors of the space (1st parameter) and is due now
 * (2nd parameter).
 */
export const lacksVectors = `(v.document_id IS NULL OR v.space <> ? OR v.version <> t.version OR (v.dimensions IS NULL AND v.due_at <= ?))`;
