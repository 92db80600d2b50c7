import { failureOf } from '../../conversations/answer-failures.js';
import { type AnswerState, hasEnded } from '../../conversations/answer-state.js';
import type { Asked } from '../../conversations/asking.js';
import { plainText } from '../../conversations/script-writer.js';
import { emptyMessage, type UnstoredAnswer } from '../../conversations/unstored-answers.js';
import { ApiError } from '../../errors/api-error.js';
import type { AnswerFailureCode } from '../../ports/store/conversations/answer.js';
import type { MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import type { RouteRequest } from '../route.js';
import type { Services } from '../services.js';
import { answerGone } from './answers.js';
import type { Refusal } from './messages.presenter.js';

/** An answer for a client of the OpenAI protocol or MCP. */
export interface AnswerInProgress extends Omit<UnstoredAnswer, 'ended' | 'historyBytes'> {
  /** Null if the conversation is not stored. */
  conversationId: string | null;
  /** Seconds after which a user over the rate limit may ask again; null if waiting does not help. Absent otherwise. */
  retryAfterSeconds?: number | null;
  /** Returns the error if the conversation was deleted. Absent for answers that are not stored. */
  gone?: () => Promise<ApiError>;
}

/** Returns a stored answer. It continues if its client disconnects, so `stop` does nothing. */
export const storedAnswer = (
  services: Pick<Services, 'conversations' | 'conversationReads'>,
  asked: Asked,
): AnswerInProgress => ({
  conversationId: asked.conversationId,
  follow: (options) => services.conversations.follow(asked, options),
  stop() {},
  extraction: services.conversations.extractionOf(asked),
  gone: () => answerGone(services, asked),
});

/** Returns a refusal as an answer, in place of the agent's. */
export function refusedAnswer({ text, retryAfterSeconds }: Refusal, now: number): AnswerInProgress {
  const message: MessageRow = {
    ...emptyMessage(now),
    status: 'completed',
    finishReason: 'other',
    script: plainText(text),
    citations: [],
  };
  return {
    conversationId: null,
    retryAfterSeconds,
    async *follow() {
      yield { kind: 'message', message };
    },
    stop() {},
    extraction: null,
  };
}

/**
 * Releases the permit of the request before waiting for the answer. Stops an unstored answer if the client disconnects.
 * Returns a signal that is aborted then.
 */
export function awaitAnswer(
  { beginWait, holdPermitUntil }: Pick<RouteRequest<never, never>, 'beginWait' | 'holdPermitUntil'>,
  { extraction, stop }: AnswerInProgress,
): AbortSignal {
  if (extraction) {
    holdPermitUntil(extraction);
    return new AbortController().signal;
  }
  const gone = beginWait();
  if (gone.aborted) stop();
  else gone.addEventListener('abort', stop, { once: true });
  return gone;
}

/** Returns a 500 for a failed answer, with its code as the reason. */
const answerFailed = (code: AnswerFailureCode | null): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    message: code === null ? 'No assistant message was produced.' : failureOf(code).message,
    ...(code === null ? {} : { details: { reason: code } }),
  });

/** Returns the message of an ended answer. Throws 500 if it failed, even after some text. */
export function completedMessage(state: AnswerState): MessageRow {
  if (state.kind === 'gone') throw answerFailed(state.end?.outcome === 'failed' ? state.end.code : null);
  if (state.message.errorCode !== null) throw answerFailed(state.message.errorCode);
  return state.message;
}

const NEVER_IDLE_MS = 3_600_000;

/** Waits for the end of the answer, and returns its last state. Calls `hear` with each earlier state. */
export async function endOf(
  answer: AnswerInProgress,
  hear: (message: MessageRow) => void = () => {},
): Promise<MessageRow> {
  const { signal } = new AbortController();
  for await (const state of answer.follow({ idleMs: NEVER_IDLE_MS, signal })) {
    if (state === 'idle') continue;
    if (state.kind === 'gone' && state.end === null && answer.gone) throw await answer.gone();
    if (hasEnded(state)) return completedMessage(state);
    if (state.kind === 'message') hear(state.message);
  }
  throw answerFailed(null);
}
