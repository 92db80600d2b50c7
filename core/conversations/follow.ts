import type { ConversationReads } from '../ports/store/conversations.js';
import type { Answers } from './answers.js';
import type { LiveAnswer } from './live-answer.js';
import { hasEnded, type Standing } from './standing.js';

/** What one who follows an answer knows of it. */
export interface Followed {
  agentId: string;
  conversationId: string;
  messageId: number;
}

export interface Followers {
  /**
   * The standing of a message, now and after each change, until it has ended: from memory in the process that
   * writes it, elsewhere by reading. `idle` when nothing has changed for `idleMs`. Ends early with `signal`.
   */
  follow(
    followed: Followed,
    options: { idleMs: number; signal: AbortSignal },
  ): AsyncGenerator<Standing | 'idle'>;
  /** How it stands when it has ended. */
  end(followed: Followed): Promise<Standing>;
}

const LOOK_MS = 250;

export function createFollowers({
  answers,
  reads,
}: {
  answers: Pick<Answers, 'find'>;
  reads: Pick<ConversationReads, 'message' | 'conversation'>;
}): Followers {
  async function stored({ agentId, conversationId, messageId }: Followed): Promise<Standing> {
    const message = await reads.message(conversationId, messageId);
    // A lease without its token was taken from the writer, because the agent is gone.
    if (message && !(message.status === 'generating' && message.lease?.token === null))
      return { kind: 'message', message };
    const conversation = await reads.conversation(agentId, conversationId);
    const end = conversation?.lastEmptyEnd ?? null;
    return { kind: 'gone', end: end?.messageId === messageId ? end : null };
  }

  async function* follow(
    followed: Followed,
    { idleMs, signal }: { idleMs: number; signal: AbortSignal },
  ): AsyncGenerator<Standing | 'idle'> {
    let last: Standing | null = null;
    let toldAt = performance.now();
    let live: LiveAnswer | undefined;
    while (!signal.aborted) {
      live ??= answers.find(followed.messageId);
      const known = live?.standing();
      const standing: Standing = known ?? (await stored(followed));
      if (changed(last, standing)) {
        last = standing;
        toldAt = performance.now();
        yield standing;
        if (hasEnded(standing)) return;
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
      for await (const standing of follow(followed, { idleMs: 3_600_000, signal }))
        if (standing !== 'idle' && hasEnded(standing)) return standing;
      throw new Error('a followed answer has no end');
    },
  };
}

/** Until the time is over, the answer has changed, or nobody wants to know any more. */
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

/** Whether there is something new to tell. */
function changed(last: Standing | null, now: Standing): boolean {
  if (last === null || hasEnded(now) || last.kind === 'gone' || now.kind === 'gone') return true;
  if (last === now || last.message.script === now.message.script) return false;
  const [before, after] = [last.message.script, now.message.script];
  if (before.length !== after.length) return true;
  const [a, b] = [before.at(-1), after.at(-1)];
  return a?.kind === 'text' && b?.kind === 'text' && a.text.length !== b.text.length;
}
