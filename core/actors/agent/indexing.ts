import { contentUnder } from '../../retrieval/index-text.js';
import type { Handler } from './handler.js';

/** A stored document is found by this from now on, unless it has another content by now. */
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
