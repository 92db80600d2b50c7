import type { AnswerEvent } from '../../api/answer-stream.js';
import type { Message } from '../../api/types.js';

/** A message on the page; an unstored one has no id. */
export type Shown = Message & { errorText?: string };

export const asked = (text: string): Shown => ({
  id: null,
  role: 'user',
  status: 'completed',
  createdAt: Math.floor(Date.now() / 1000),
  parts: [{ type: 'text', text }],
  metadata: { conversationId: null },
});

export const emptyAnswer = (): Shown => ({
  ...asked(''),
  role: 'assistant',
  status: 'generating',
  parts: [],
  feedback: null,
});

/** Applies an event to the answer. Pure. */
export function applyEvent(answer: Shown, event: AnswerEvent): Shown {
  switch (event.type) {
    case 'start':
      return {
        ...answer,
        id: event.messageId ?? null,
        metadata: { ...answer.metadata, ...event.messageMetadata },
      };
    case 'text-delta':
      return { ...answer, parts: [{ type: 'text', text: textOf(answer) + event.delta }] };
    case 'finish':
      return {
        ...answer,
        status: event.finishReason === 'error' ? 'failed' : 'completed',
        metadata: { ...answer.metadata, ...event.messageMetadata },
      };
    case 'abort':
      return { ...answer, status: 'stopped' };
    case 'error':
      return { ...answer, errorText: event.errorText };
    default:
      return answer;
  }
}

export const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');

/** Describes the outcome of a message that did not end normally. */
export function noteOf({ status, errorText, metadata }: Shown): string | null {
  if (errorText !== undefined) return errorText;
  if (metadata.error) return metadata.error.message;
  if (status === 'failed') return 'The answer was cut off. Ask again.';
  return status === 'stopped' ? 'Stopped.' : null;
}
