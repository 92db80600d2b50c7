import type { Static } from '@sinclair/typebox';
import type { messageSchema } from '../../core/http/conversations/conversations.schema.js';

/** A message as the API returns it. The type is derived from the schema. */
export type Message = Static<typeof messageSchema>;
export type Citation = NonNullable<Message['metadata']['citations']>[number];

/** Events of the answer stream that a page handles; others are ignored. */
export type AnswerEvent =
  | { type: 'start'; messageId?: string; messageMetadata: Partial<Message['metadata']> }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'finish'; finishReason: string; messageMetadata: Partial<Message['metadata']> }
  | { type: 'abort' }
  | { type: 'error'; errorText: string };

/** A message on a page. Its id is null until the server has stored it. */
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
export function applyEvent<Answer extends Shown>(answer: Answer, event: AnswerEvent): Answer {
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

export const textOf = ({ parts }: Pick<Message, 'parts'>): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
