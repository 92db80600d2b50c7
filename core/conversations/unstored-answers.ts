import { rateLimitOf } from '../agent-settings/rate-limit.js';
import type { Answerer, AnswerRequest } from '../chat/answerer.js';
import { bytesOf, recentHistory } from '../chat/history.js';
import { within } from '../fairness/time-limit.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { MessageRow, Script } from '../ports/store/conversations/conversation-rows.js';
import type { Conversations } from '../ports/store/conversations/conversations.js';
import { AgentGone } from '../ports/store/store-errors.js';
import { currentSpan, traced } from '../tracing/trail.js';
import { type AnswerFigures, measureAnswer } from './answer-figures.js';
import type { AnswerState } from './answer-state.js';
import type { Answers } from './answers.js';
import type { Asker } from './asker.js';
import { type AnswerEnd, charge, emptyEndOf, endingOf } from './end-answer.js';
import { createFollowers, type Followers } from './follow.js';
import { createLiveAnswer } from './live-answer.js';
import { bareMessage } from './messages.js';
import { produceAnswer } from './produce-answer.js';
import { createScriptWriter, saysSomething } from './script-writer.js';
import { countSpoken, subjectOf } from './speaking-rate.js';

/** A question with the history that the client has sent. */
interface UnstoredQuestion extends Pick<AnswerRequest, 'history' | 'tools' | 'round'> {
  /** User to whom the agent's rate limit applies; null for no limit. */
  userId: string | null;
}

export interface UnstoredAnswer {
  follow(options: Parameters<Followers['follow']>[1]): ReturnType<Followers['follow']>;
  /** Ends the answer, and the call of the model. */
  stop(): void;
  /** Resolves at the end if this process extracts the answer from sources; null for other answers. */
  extraction: Promise<unknown> | null;
  /** Bytes of the history, which stays in memory until the end. */
  historyBytes: number;
  /** Resolves at the end, however it ends. */
  ended: Promise<unknown>;
}

/** Answers whose conversations are not stored. Rate limits and credits apply to them. */
export interface UnstoredAnswers extends Pick<Answers, 'size' | 'settled' | 'interrupt'> {
  /** Starts an answer. Throws ModelBusy and RateLimited. */
  answer(asker: Asker, question: UnstoredQuestion): Promise<UnstoredAnswer>;
}

interface UnstoredAnswersOptions {
  answerer: Answerer;
  store: Pick<Conversations, 'turns' | 'reads'>;
  clock: Clock;
  deadlineMs: number;
  historyTokens: number;
  onEnd: (figures: AnswerFigures) => void;
  log: Log;
}

/** Returns the row of an answer that is not stored. */
export const emptyMessage = (createdAt: number): MessageRow => {
  const { tools: _, ...columns } = bareMessage;
  return {
    ...columns,
    id: 0,
    conversationId: '',
    role: 'assistant',
    status: 'generating',
    script: [],
    createdAt,
  };
};

export function createUnstoredAnswers(options: UnstoredAnswersOptions): UnstoredAnswers {
  const { answerer, store, clock, log } = options;
  const live = new Set<ReturnType<typeof createLiveAnswer>>();
  let interrupted = false;

  /** Counts the message. Throws RateLimited and AgentGone. */
  async function count({ agent, settings, share }: Asker, { userId, history }: UnstoredQuestion) {
    const isContinuation = history.at(-1)?.role === 'assistant';
    if (userId === null || isContinuation) return;
    const speaker = {
      subject: subjectOf({ id: '', userId }),
      userId,
      limit: rateLimitOf(settings),
      nowMs: clock.now(),
    };
    const { id: agentId, workspaceId } = agent;
    await store.turns.unstored(
      { agentId, workspaceId },
      async (turn) => {
        const [exists] = await Promise.all([turn.agentExists(), countSpoken(turn, speaker)]);
        if (!exists) throw new AgentGone(agentId);
      },
      share,
    );
  }

  /** Counts the credits. A failure is only logged, because the client already has the answer. */
  async function pay({ agent, share }: Asker, end: AnswerEnd, script: Script): Promise<void> {
    const { id: agentId, workspaceId } = agent;
    const nowMs = clock.now();
    await store.turns
      .unstored(
        { agentId, workspaceId },
        async (turn) => {
          if (await turn.agentExists()) charge(turn, end, script, nowMs);
        },
        share,
      )
      .catch((error: unknown) => {
        log.error({ err: error }, 'the credits of an answer could not be counted');
      });
  }

  return {
    get size() {
      return live.size;
    },
    async settled(withinMs) {
      await within(withinMs, Promise.all([...live].map(({ ended }) => ended)));
    },
    interrupt() {
      interrupted = true;
      for (const answer of live) answer.interrupt('shutdown');
    },

    async answer(asker, question) {
      const place = answerer.admit(asker);
      try {
        await count(asker, question);
      } catch (error) {
        place.release();
        throw error;
      }
      const message = emptyMessage(seconds(clock.now()));
      // Calls of tools are not stored, so they do not expire.
      const writer = createScriptWriter(() => Number.POSITIVE_INFINITY);
      const answer = createLiveAnswer({ message, token: '', isExtractive: place.isExtractive }, writer);
      live.add(answer);
      if (interrupted) answer.interrupt('shutdown');
      const { agent, requestId } = asker;
      const { tools, round } = question;
      const history = recentHistory(question.history, options.historyTokens);

      async function run(): Promise<void> {
        const measured = measureAnswer();
        const end = await produceAnswer({
          answerer,
          request: async () => ({ ...asker, history, tools, round }),
          signal: answer.signal,
          deadlineMs: options.deadlineMs,
          hear(event) {
            if (event.type === 'text') measured.text();
            if (!writer.take(event)) return;
            answer.unsaved();
            answer.saved();
          },
          log,
        });
        const state = end && stateOf(message, end, writer.script());
        if (end) await pay(asker, end, writer.script());
        live.delete(answer);
        place.release();
        answer.end(state);
        const figures = measured.figures(state);
        log.info(figures, 'an answer ended');
        options.onEnd(figures);
      }

      const ids = { requestId, workspaceId: agent.workspaceId, agentId: agent.id };
      void traced(ids, currentSpan()?.begin('answer') ?? null, run);
      const followers = createFollowers({ answers: { find: () => answer }, reads: store.reads });
      return {
        follow: (following) =>
          followers.follow({ agentId: agent.id, conversationId: '', messageId: message.id }, following),
        stop: () => answer.interrupt('stopped'),
        extraction: place.isExtractive ? answer.ended : null,
        historyBytes: bytesOf(history),
        ended: answer.ended,
      };
    },
  };
}

/** Returns the state of the ended answer. */
function stateOf(message: MessageRow, end: AnswerEnd, script: Script): AnswerState {
  if (!saysSomething(script)) return { kind: 'gone', end: emptyEndOf(message.id, end) };
  return { kind: 'message', message: { ...message, ...endingOf(end, script), script } };
}
