import type { ConversationReads } from '../ports/store/conversations/conversations.js';
import { type AnswerState, hasEnded } from './answer-state.js';
import type { Answers } from './answers.js';
import type { LiveAnswer } from './live-answer.js';

export interface Followed {
  agentId: string;
  conversationId: string;
  messageId: number;
}

export interface Followers {
  /**
   * Yields the state of an answer, now and after each change, until it has ended: from memory in the process that writes
   * it, elsewhere by polling. Yields `idle` after `idleMs` without a change. `signal` ends it early.
   */
  follow(
    followed: Followed,
    options: { idleMs: number; signal: AbortSignal },
  ): AsyncGenerator<AnswerState | 'idle'>;
  /** Resolves to the state of the ended answer. */
  end(followed: Followed): Promise<AnswerState>;
}

const LOOK_MS = 250;

export function createFollowers({
  answers,
  reads,
}: {
  answers: Pick<Answers, 'find'>;
  reads: Pick<ConversationReads, 'message' | 'conversation'>;
}): Followers {
  async function stored({ agentId, conversationId, messageId }: Followed): Promise<AnswerState> {
    const message = await reads.message(conversationId, messageId);
    // Deleting an agent removes the tokens of its leases.
    if (message && !(message.status === 'generating' && message.lease?.token === null))
      return { kind: 'message', message };
    const conversation = await reads.conversation(agentId, conversationId);
    const end = conversation?.lastEmptyEnd ?? null;
    return { kind: 'gone', end: end?.messageId === messageId ? end : null };
  }

  async function* follow(
    followed: Followed,
    { idleMs, signal }: { idleMs: number; signal: AbortSignal },
  ): AsyncGenerator<AnswerState | 'idle'> {
    let last: AnswerState | null = null;
    let toldAt = performance.now();
    let live: LiveAnswer | undefined;
    while (!signal.aborted) {
      live ??= answers.find(followed.messageId);
      const known = live?.state();
      const state: AnswerState = known ?? (await stored(followed));
      if (changed(last, state)) {
        last = state;
        toldAt = performance.now();
        yield state;
        if (hasEnded(state)) return;
        continue;
      }
      const idleLeft = toldAt + idleMs - performance.now();
      if (idleLeft > 0) {
        await pause(known ? idleLeft : Math.min(LOOK_MS, idleLeft), live, signal);
        continue;
      }
      toldAt = performance.now();
      yield 'idle';
    }
  }

  return {
    follow,
    async end(followed) {
      const { signal } = new AbortController();
      for await (const state of follow(followed, { idleMs: 3_600_000, signal }))
        if (state !== 'idle' && hasEnded(state)) return state;
      throw new Error('a followed answer has no end');
    },
  };
}

/** Resolves after `ms`, when the answer changes, or when `signal` is aborted. */
const pause = (ms: number, live: LiveAnswer | undefined, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    const unfollow = live?.onChange(done);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      unfollow?.();
      resolve();
    }
  });

function changed(last: AnswerState | null, now: AnswerState): boolean {
  if (last === null || hasEnded(now) || last.kind === 'gone' || now.kind === 'gone') return true;
  if (last === now || last.message.script === now.message.script) return false;
  const [before, after] = [last.message.script, now.message.script];
  if (before.length !== after.length) return true;
  const [a, b] = [before.at(-1), after.at(-1)];
  return a?.kind === 'text' && b?.kind === 'text' && a.text.length !== b.text.length;
}
