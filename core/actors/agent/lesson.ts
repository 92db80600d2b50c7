import { invalidField } from '../../errors/api-error.js';
import type { Owner } from '../../fairness/owner.js';
import { qnaText } from '../../knowledge/qna-text.js';
import type { StoredMetadata } from '../../knowledge/source-metadata.js';
import { type IndexedText, type Indexer, NotIndexable } from '../../ports/indexer.port.js';
import type { Lesson } from './messages.js';

/** A text snippet, ready to be stored. Charged: the bytes of its content. */
export async function textLesson(
  { title, content }: { title: string; content: string },
  indexer: Indexer,
  owner: Owner,
): Promise<Lesson> {
  const indexed = await indexedBy(indexer, owner, 'content', content);
  const bytes = Buffer.byteLength(content);
  return {
    sourceType: 'text_snippet',
    title: title.trim(),
    content: indexed,
    bytes,
    metadata: { bytes, chunks: indexed.chunks.length } satisfies StoredMetadata<'text_snippet'>,
  };
}

/**
 * A question-and-answer entry: questions first, so that retrieval meets them beside the answer. Charged:
 * questions plus answer.
 */
export async function qnaLesson(
  { title, questions, answer }: { title: string; questions: string[]; answer: string },
  indexer: Indexer,
  owner: Owner,
): Promise<Lesson> {
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
      chunks: indexed.chunks.length,
    } satisfies StoredMetadata<'qna_entry'>,
  };
}

/** A text that cannot be indexed is refused with the field that holds it (400). */
async function indexedBy(indexer: Indexer, owner: Owner, field: string, text: string): Promise<IndexedText> {
  try {
    return await indexer.index(text, owner);
  } catch (error) {
    if (!(error instanceof NotIndexable)) throw error;
    throw invalidField(field, 'could not be divided and indexed, nothing was stored', error.cause);
  }
}
