import { setTimeout as sleep } from 'node:timers/promises';
import type { Answerer, AnswererPlace, AnswerRequest } from '../chat/answerer.js';
import { within } from '../fairness/time-limit.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { MessageRow } from '../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type ConversationLookup,
  type Conversations,
  type ConversationTurn,
} from '../ports/store/conversations/conversations.js';
import { aside, currentSpan, traced } from '../tracing/trail.js';
import { type AnswerFigures, measureAnswer } from './answer-figures.js';
import { createAnswerSaver, LEASE_MS } from './answer-saver.js';
import type { AnswerState } from './answer-state.js';
import { type AnswerEnd, endAnswer, readEnding } from './end-answer.js';
import { createLiveAnswer, type LiveAnswer } from './live-answer.js';
import { produceAnswer } from './produce-answer.js';
import { createScriptWriter, type ScriptWriter } from './script-writer.js';

interface Beginning {
  message: MessageRow;
  agentId: string;
  workspaceId: string;
  /** Owner of the share of writers that the answer uses. */
  share: string;
  requestId: string;
  /** Token of the message's lease. */
  token: string;
  /** Released when the answer has ended. */
  place: AnswererPlace;
  request: () => Promise<AnswerRequest>;
  /** Runs in the turn that stores the complete answer. */
  ending?: Ending | undefined;
}

export type Ending = (turn: ConversationTurn, message: MessageRow) => Promise<void>;

/** The answers that this process writes. */
export interface Answers {
  /** Starts an answer whose message has been stored. */
  begin(beginning: Beginning): LiveAnswer;
  find(messageId: number): LiveAnswer | undefined;
  readonly size: number;
  /** Resolves when no answer is in progress, or after `withinMs`. */
  settled(withinMs: number): Promise<void>;
  /** Ends all answers, also answers that begin later. */
  interrupt(): void;
}

interface AnswersOptions {
  answerer: Pick<Answerer, 'answer'>;
  conversations: Pick<Conversations, 'turns' | 'saves'>;
  clock: Clock;
  deadlineMs: number;
  toolResultTtlSeconds: number;
  /** Called when the conversation is ready for the next answer. */
  onFree: (conversationId: string) => void;
  onEnd: (figures: AnswerFigures) => void;
  log: Log;
}

const STOPS_MS = 250;
/** Maximum age of the stop requests to read. A writer that was suspended for longer has lost its lease. */
const STOP_REQUEST_AGE_MS = 4 * LEASE_MS;
/**
 * Maximum time for retries of the last turn, after which a sweep ends the answer. Long enough for two timeouts of the
 * queue for writers.
 */
const LAST_TURN_RETRY_MS = 30_000;

export function createAnswers(options: AnswersOptions): Answers {
  const { answerer, conversations, clock, log } = options;
  const live = new Map<number, LiveAnswer>();
  const saver = createAnswerSaver({ saves: conversations.saves, clock, log });
  let listening = false;
  let interrupted = false;

  /** Polls for stop requests while answers are in progress. */
  async function listen(): Promise<void> {
    if (listening) return;
    listening = true;
    while (live.size > 0) {
      await sleep(STOPS_MS, undefined, { ref: false });
      const asked = await conversations.saves
        .stopRequests(clock.now() - STOP_REQUEST_AGE_MS)
        .catch((error: unknown) => {
          log.debug({ err: error }, 'stop requests cannot be read');
          return [];
        });
      for (const messageId of asked) live.get(messageId)?.interrupt('stopped');
    }
    listening = false;
  }

  /** Runs the last turn, with retries. Null if another writer has the answer. */
  async function settle(
    answer: LiveAnswer,
    end: AnswerEnd,
    { share, elapsedMs, ending }: { share: string; elapsedMs: number; ending: Ending | undefined },
  ): Promise<AnswerState | null> {
    const { messageId, conversationId, token } = answer;
    const unsaved = answer.unsaved();
    const giveUpAt = performance.now() + LAST_TURN_RETRY_MS;
    for (let pause = 50; ; pause *= 2) {
      try {
        return await conversations.turns.run(
          conversationId,
          async (turn, rows) => {
            const given = { messageId, token, end, unsaved, elapsedMs, nowMs: clock.now() };
            const state = await endAnswer(turn, rows, given);
            if (state?.kind === 'message' && state.message.status === 'completed')
              await ending?.(turn, state.message);
            return state;
          },
          share,
          (lookup: ConversationLookup) => readEnding(lookup, messageId),
        );
      } catch (error) {
        if (error instanceof ConversationGone) return { kind: 'gone', end: null };
        if (performance.now() + pause > giveUpAt) throw error;
        await sleep(pause);
      }
    }
  }

  async function run(answer: LiveAnswer, writer: ScriptWriter, beginning: Beginning): Promise<void> {
    const { messageId, conversationId, signal } = answer;
    const { share, place, request, ending } = beginning;
    const measured = measureAnswer();
    const end = await produceAnswer({
      answerer,
      request,
      signal,
      deadlineMs: options.deadlineMs,
      hear(event) {
        if (event.type === 'text') measured.text();
        if (writer.take(event)) saver.wrote(answer, event.type === 'text' ? event.text.length : 0);
      },
      log,
    });
    saver.keepLease(answer);
    const elapsedMs = measured.elapsedMs();
    const state = await (end && settle(answer, end, { share, elapsedMs, ending }))?.catch(
      (error: unknown) => {
        log.error({ err: error }, 'the end of an answer could not be stored; a sweep will store it');
        return null;
      },
    );
    saver.remove(answer);
    live.delete(messageId);
    answer.end(state ?? null);
    place.release();
    options.onFree(conversationId);
    const figures = measured.figures(state ?? null);
    log.info(figures, 'an answer ended');
    options.onEnd(figures);
  }

  return {
    get size() {
      return live.size;
    },
    find: (messageId) => live.get(messageId),
    begin(beginning) {
      const { message, token } = beginning;
      const writer = createScriptWriter(() => seconds(clock.now()) + options.toolResultTtlSeconds);
      const answer = createLiveAnswer({ message, token, isExtractive: beginning.place.isExtractive }, writer);
      live.set(message.id, answer);
      saver.add(answer, message.lease?.untilMs ?? 0);
      if (interrupted) answer.interrupt('shutdown');
      const { agentId, workspaceId, requestId } = beginning;
      const { conversationId, messageId } = answer;
      const ids = { requestId, workspaceId, agentId, conversationId, messageId };
      void traced(ids, currentSpan()?.begin('answer') ?? null, () => run(answer, writer, beginning));
      void aside(listen);
      return answer;
    },
    async settled(withinMs) {
      await within(withinMs, Promise.all([...live.values()].map(({ ended }) => ended)));
    },
    interrupt() {
      interrupted = true;
      for (const answer of live.values()) answer.interrupt('shutdown');
    },
  };
}
