import { contentUnder } from '../../../retrieval/index-text.js';
import type { Handler } from '../handler.js';

/** Replaces the index of a document, unless its content has changed in the meantime. */
export const reindex: Handler<'reindex'> = async ({ turn }, { documentId, contentHash, content }) => {
  const document = await turn.documents.find(documentId);
  if (document?.contentHash !== contentHash) return null;
  await turn.documents.reindex(documentId, contentUnder(document.title, content));
  const { metadata } = document;
  const chunks = content.chunks.length;
  if (metadata.chunks !== chunks)
    await turn.documents.update(documentId, { metadata: { ...metadata, chunks } });
  return null;
};

export const finishIndexing: Handler<'finishIndexing'> = async ({ turn }) => {
  await turn.documents.finishIndexing();
  return null;
};
