import type { Lesson } from '../actors/agent/messages.js';
import type { StoredMetadata } from '../schemas/source-metadata.js';
import { chunkText } from './chunk-text.js';

/** A text snippet, ready to be stored. Charged: the bytes of its content. */
export function textLesson({ title, content }: { title: string; content: string }): Lesson {
  const chunks = chunkText(content);
  const bytes = Buffer.byteLength(content);
  return {
    sourceType: 'text_snippet',
    title: title.trim(),
    text: content,
    chunks,
    bytes,
    metadata: { bytes, chunks: chunks.length } satisfies StoredMetadata<'text_snippet'>,
  };
}

/** A question-and-answer entry: questions first, so that retrieval meets them beside the answer. Charged: questions plus answer. */
export function qnaLesson({
  title,
  questions,
  answer,
}: {
  title: string;
  questions: string[];
  answer: string;
}): Lesson {
  const asked = questions.filter((question) => question.trim() !== '');
  const text = `${asked.map((question) => `Q: ${question}`).join('\n')}\nA: ${answer}`;
  const chunks = chunkText(text);
  const bytes = Buffer.byteLength(asked.join('')) + Buffer.byteLength(answer);
  return {
    sourceType: 'qna_entry',
    title: title.trim(),
    text,
    chunks,
    bytes,
    metadata: { questions: asked, bytes, chunks: chunks.length } satisfies StoredMetadata<'qna_entry'>,
  };
}
