import { invalidField } from '../../../errors/api-error.js';
import type { Owner } from '../../../fairness/owner.js';
import type { StoredMetadata } from '../../../knowledge/sources/source-metadata.js';
import { qnaText } from '../../../knowledge/text/qna-text.js';
import { type IndexedText, type Indexer, NotIndexable } from '../../../ports/indexer.port.js';
import type { NewSource } from '../messages.js';

/** Indexes a text snippet. The workspace is charged for the bytes of its content. */
export async function indexTextSource(
  { title, content, externalId }: { title: string; content: string; externalId?: string | undefined },
  indexer: Indexer,
  owner: Owner,
): Promise<NewSource> {
  const indexed = await indexedBy(indexer, owner, 'content', content);
  const bytes = Buffer.byteLength(content);
  return {
    sourceType: 'text_snippet',
    title: title.trim(),
    content: indexed,
    bytes,
    metadata: {
      bytes,
      ...(externalId === undefined ? {} : { externalId }),
      chunks: indexed.chunks.length,
    } satisfies StoredMetadata<'text_snippet'>,
  };
}

/**
 * Indexes a Q&A entry, questions first, so that they are in the same chunk as the answer if possible. The
 * workspace is charged for the bytes of questions and answer.
 */
export async function indexQnaSource(
  {
    title,
    questions,
    answer,
    externalId,
  }: { title: string; questions: string[]; answer: string; externalId?: string | undefined },
  indexer: Indexer,
  owner: Owner,
): Promise<NewSource> {
  const asked = questions.filter((question) => question.trim() !== '');
  const indexed = await indexedBy(indexer, owner, 'answer', qnaText(asked, answer));
  const bytes = Buffer.byteLength(asked.join('')) + Buffer.byteLength(answer);
  return {
    sourceType: 'qna_entry',
    title: title.trim(),
    content: indexed,
    bytes,
    metadata: {
      questions: asked,
      bytes,
      ...(externalId === undefined ? {} : { externalId }),
      chunks: indexed.chunks.length,
    } satisfies StoredMetadata<'qna_entry'>,
  };
}

async function indexedBy(indexer: Indexer, owner: Owner, field: string, text: string): Promise<IndexedText> {
  try {
    return await indexer.index(text, owner);
  } catch (error) {
    if (!(error instanceof NotIndexable)) throw error;
    throw invalidField(field, 'could not be indexed; nothing was stored. Shorten or split it', error.cause);
  }
}
