import { type Judge, JudgeBusy, JudgeTimeout } from '../../core/ports/judge.port.js';
import type { Log } from '../../core/ports/log.port.js';
import { type FairThreads, fairThreads, ThreadsBusy } from '../threads/fair-threads.js';
import type { JudgeTask, judgeAnswer } from './judge.thread.js';

/** Patterns take less than a millisecond, unless they backtrack without end. */
const LIMIT_MS = 5000;

const fromSource = import.meta.url.endsWith('.ts');
const filename = new URL(fromSource ? './from-source.mjs' : './judge.thread.js', import.meta.url).href;

/** Judges answers in a thread, because the regular expressions of clients may take exponential time. */
export function startJudgeThreads(log: Log): Judge & { close(): Promise<void> } {
  const threads: FairThreads<JudgeTask, ReturnType<typeof judgeAnswer>> = fairThreads({
    filename,
    name: 'judgeAnswer',
    threads: 1,
    limitMs: LIMIT_MS,
    log,
  });
  return {
    judge: (question, { text, titles }, owner) =>
      threads.run({ question, text, titles }, owner).catch((error: unknown) => {
        if (error instanceof ThreadsBusy) throw new JudgeBusy();
        throw error instanceof Error && error.name === 'AbortError' ? new JudgeTimeout() : error;
      }),
    close: () => threads.close(),
  };
}
