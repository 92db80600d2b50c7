import { failureOf } from '../../conversations/answer-failures.js';
import { hasEnded } from '../../conversations/answer-state.js';
import type { MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import type { JsonObject } from '../../schemas/json.js';
import { type AnswerInProgress, completedMessage } from '../conversations/answer-in-progress.js';
import { DONE, KEEP_ALIVE } from '../conversations/answer-stream.js';
import { presentMessage } from '../conversations/messages.presenter.js';
import { eventsAfter, type StreamedMessage } from '../conversations/ui-message-stream.js';

/** Presents an answer that belongs to no conversation. */
export function presentUnstored(message: MessageRow, now: number) {
  const presentation = { toolCalls: new Map(), now };
  const shown = presentMessage(message, { id: '', userId: null, audience: 'key' }, presentation);
  const { conversationId: _, userId: __, ...metadata } = shown.metadata;
  return { ...shown, id: null, metadata };
}

/** Streams such an answer until it ends or `signal` is aborted. The stream cannot be resumed. */
export async function* unstoredAnswerStream(
  answer: AnswerInProgress,
  { keepAliveMs, now, signal }: { keepAliveMs: number; now: number; signal: AbortSignal },
): AsyncGenerator<string> {
  let position: Parameters<typeof eventsAfter>[1] = null;
  for await (const state of answer.follow({ idleMs: keepAliveMs, signal })) {
    if (state === 'idle') {
      yield KEEP_ALIVE;
      continue;
    }
    const message = state.kind === 'message' ? state.message : completedMessage(state);
    for (const next of eventsAfter(streamed(message, now), position)) {
      position = next.position;
      yield `data: ${JSON.stringify(next.event)}\n\n`;
    }
    if (hasEnded(state)) yield DONE;
  }
}

function streamed(message: MessageRow, now: number): StreamedMessage {
  const start: JsonObject = { createdAt: message.createdAt };
  return { messageId: null, start, script: message.script, end: endOf(message, now) };
}

function endOf(message: MessageRow, now: number): StreamedMessage['end'] {
  const { status, finishReason, errorCode } = message;
  if (status === 'generating') return null;
  if (status === 'stopped') return { kind: 'abort' };
  return {
    kind: 'finish',
    finishReason: finishReason ?? 'other',
    metadata: presentUnstored(message, now).metadata,
    errorText: errorCode === null ? null : failureOf(errorCode).message,
  };
}
