import type { AnswerEvent } from '../../../client/answer-events.js';
import { answerEvents, randomKey } from '../../../client/answer-stream.js';
import { asFailure, Failure, SelfExplained } from './failure.js';
import { agentPath, pause, send } from './request.js';

/** Maximum reconnects without a new event. */
const MAX_RETRIES = 6;
const PAUSE_MS = 500;

/** Streams the answer to a POST on `path`. */
export function postedAnswer(
  agentId: string,
  path: string,
  { body, signal }: { body: object; signal: AbortSignal },
): AsyncGenerator<AnswerEvent> {
  const post = {
    method: 'POST',
    body: { ...body, stream: true },
    headers: { 'idempotency-key': randomKey() },
    signal,
  } as const;
  return answerEvents({ ...connectionOf(agentId, signal), start: () => send(path, post) });
}

/** Streams the running answer of a conversation from its start. */
export const runningAnswer = (
  agentId: string,
  conversationId: string,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> =>
  answerEvents(
    {
      ...connectionOf(agentId, signal),
      start: () => send(streamPath(agentId, conversationId), { signal }),
    },
    conversationId,
  );

const streamPath = (agentId: string, conversationId: string): string =>
  agentPath(agentId, 'conversations', conversationId, 'stream');

const connectionOf = (agentId: string, signal: AbortSignal) => ({
  resume: (conversationId: string, lastEventId: string) =>
    send(streamPath(agentId, conversationId), { headers: { 'last-event-id': lastEventId }, signal }),
  isFinal: (thrown: unknown) => signal.aborted || !asFailure(thrown).mayRetry,
  async beforeRetry(failures: number, thrown: unknown) {
    if (failures >= MAX_RETRIES && thrown instanceof Failure && thrown.code !== null) throw thrown;
    if (failures >= MAX_RETRIES)
      throw new SelfExplained(
        'The connection was lost. The agent is still answering: reload the conversation.',
      );
    await pause(PAUSE_MS * failures, signal);
  },
});
