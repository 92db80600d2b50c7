import { setTimeout as sleep } from 'node:timers/promises';
import type { Answerer, AnswerRequest } from '../chat/answerer.js';
import { within } from '../fairness/time-limit.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { ModelPlace } from '../ports/model.port.js';
import {
  ConversationGone,
  type ConversationLookup,
  type Conversations,
  type MessageRow,
} from '../ports/store/conversations.js';
import { aside, currentSpan, traced } from '../tracing/trail.js';
import { type AnswerFigures, figuresOf } from './answer-figures.js';
import { createAnswerSaver, LEASE_MS } from './answer-saver.js';
import { type AnswerEnd, endAnswer, readEnding } from './end-answer.js';
import { createLiveAnswer, type LiveAnswer } from './live-answer.js';
import { produceAnswer } from './produce-answer.js';
import { createScriptWriter, type ScriptWriter } from './script-writer.js';
import type { Standing } from './standing.js';

/** What belongs to an answer that begins. */
export interface Beginning {
  message: MessageRow;
  agentId: string;
  workspaceId: string;
  requestId: string;
  /** Of the message's lease. */
  token: string;
  /** Given back when the answer has ended. */
  place: ModelPlace;
  /** What the answer is made from, read when it begins. */
  request: () => Promise<AnswerRequest>;
}

/** The answers that this process writes. */
export interface Answers {
  /** Sets an answer going whose message has been stored. */
  begin(beginning: Beginning): void;
  find(messageId: number): LiveAnswer | undefined;
  readonly size: number;
  /** Resolves when none is under way, at most after so many milliseconds. */
  settled(withinMs: number): Promise<void>;
  /** Ends those that are under way, and all that begin from now on. */
  interrupt(): void;
}

interface AnswersOptions {
  answerer: Pick<Answerer, 'answer'>;
  conversations: Pick<Conversations, 'turns' | 'saves'>;
  clock: Clock;
  deadlineMs: number;
  toolResultTtlSeconds: number;
  /** The conversation takes the next answer. */
  onFree: (conversationId: string) => void;
  onEnd: (figures: AnswerFigures) => void;
  log: Log;
}

const STOPS_MS = 250;
/** A writer that was away for longer has lost its lease. */
const STOPS_HEARD_MS = 4 * LEASE_MS;
/** The last turn is retried for so long; then a sweep ends the answer. */
const PATIENCE_MS = LEASE_MS;

export function createAnswers(options: AnswersOptions): Answers {
  const { answerer, conversations, clock, log } = options;
  const live = new Map<number, LiveAnswer>();
  const saver = createAnswerSaver({ saves: conversations.saves, clock, log });
  let listening = false;
  let interrupted = false;

  /** Hears who is to stop, for as long as there is anybody. */
  async function listen(): Promise<void> {
    if (listening) return;
    listening = true;
    while (live.size > 0) {
      await sleep(STOPS_MS, undefined, { ref: false });
      const asked = await conversations.saves
        .stopsAsked(clock.now() - STOPS_HEARD_MS)
        .catch((error: unknown) => {
          log.debug({ err: error }, 'cannot hear which answers are to stop');
          return [];
        });
      for (const messageId of asked) live.get(messageId)?.interrupt('stopped');
    }
    listening = false;
  }

  /** The last turn, tried again while the database is away. Null when the answer was not ours any more. */
  async function settle(answer: LiveAnswer, end: AnswerEnd, workspaceId: string): Promise<Standing | null> {
    const { messageId, conversationId, token } = answer;
    const unsaved = answer.unsaved();
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let pause = 50; ; pause *= 2) {
      try {
        return await conversations.turns.run(
          conversationId,
          (turn, rows) => endAnswer(turn, rows, { messageId, token, end, unsaved, nowMs: clock.now() }),
          workspaceId,
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
    const { workspaceId, place, request } = beginning;
    const beganAt = performance.now();
    let firstTextAt: number | null = null;
    const deadline = setTimeout(() => answer.interrupt('deadline'), options.deadlineMs);
    const end = await produceAnswer({
      answerer,
      request,
      signal,
      hear(event) {
        if (event.type === 'text') firstTextAt ??= performance.now();
        if (writer.take(event)) saver.wrote(answer, event.type === 'text' ? event.text.length : 0);
      },
      log,
    });
    clearTimeout(deadline);
    saver.remove(answer);
    const standing = await (end && settle(answer, end, workspaceId))?.catch((error: unknown) => {
      log.error({ err: error }, 'the end of an answer could not be stored; a sweep will end it');
      return null;
    });
    live.delete(messageId);
    answer.end(standing ?? null);
    place.release();
    options.onFree(conversationId);
    const figures = figuresOf(standing ?? null, { beganAt, firstTextAt, endedAt: performance.now() });
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
      const answer = createLiveAnswer({ message, token }, writer);
      live.set(message.id, answer);
      saver.add(answer, message.lease?.untilMs ?? 0);
      if (interrupted) answer.interrupt('shutdown');
      const { agentId, workspaceId, requestId } = beginning;
      const { conversationId, messageId } = answer;
      const ids = { requestId, workspaceId, agentId, conversationId, messageId };
      void traced(ids, currentSpan()?.begin('answer') ?? null, () => run(answer, writer, beginning));
      void aside(listen);
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
