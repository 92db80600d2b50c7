import { expressionOf, judge } from '../../core/evaluations/judge.js';
import type { EvaluationQuestion, Verdict } from '../../core/schemas/evaluations.js';
import { TimeUp, withinTime } from './time-limit.js';

export interface JudgeTask {
  question: EvaluationQuestion;
  text: string;
  titles: readonly string[];
  /** Patterns of the question that were too slow before. */
  slow: readonly string[];
}

export interface CompileTask {
  patterns: readonly string[];
}

/** The verdict, or the pattern that cannot be used. */
export type Judgement = { verdict: Exclude<Verdict, 'failed'> } | { unusable: string };

/** Patterns take less than a millisecond, unless they backtrack without end. */
const JUDGE_MS = 2000;
/** The patterns of a request within its limits take less than a second, unless they are made to be slow. */
const COMPILE_MS = 2000;

export const runTask = (task: JudgeTask | CompileTask): Judgement | (string | null)[] =>
  'patterns' in task ? patternProblems(task) : judgeAnswer(task);

class Unusable extends Error {
  readonly pattern: string;

  constructor(pattern: string) {
    super('the pattern cannot be used');
    this.pattern = pattern;
  }
}

function judgeAnswer({ question, slow, ...answer }: JudgeTask): Judgement {
  let running: { pattern: string; beganAt: number } | null = null;
  let slowest = { pattern: '', ms: -1 };
  const note = (pattern: string, beganAt: number): void => {
    const ms = performance.now() - beganAt;
    if (ms > slowest.ms) slowest = { pattern, ms };
  };
  const matches = (pattern: string, text: string): boolean => {
    if (slow.includes(pattern)) throw new Unusable(pattern);
    const beganAt = performance.now();
    running = { pattern, beganAt };
    try {
      return expressionOf(pattern).test(text);
    } catch {
      // It needs more memory than an expression may have.
      throw new Unusable(pattern);
    } finally {
      running = null;
      note(pattern, beganAt);
    }
  };
  try {
    return { verdict: withinTime(JUDGE_MS, () => judge(question, answer, matches)) };
  } catch (error) {
    if (error instanceof Unusable) return { unusable: error.pattern };
    if (!(error instanceof TimeUp)) throw error;
    // The interrupted work runs no `finally`.
    const { pattern, beganAt } = running ?? { pattern: '', beganAt: performance.now() };
    note(pattern, beganAt);
    return { unusable: slowest.pattern };
  }
}

function patternProblems({ patterns }: CompileTask): (string | null)[] {
  const problems: (string | null)[] = [];
  try {
    withinTime(COMPILE_MS, () => {
      for (const pattern of patterns) problems.push(problemOf(pattern));
    });
    return problems;
  } catch (error) {
    if (!(error instanceof TimeUp)) throw error;
    return [...problems, 'the regular expressions take too long to compile. Send fewer or simpler ones'];
  }
}

/** V8 compiles an expression when it is used first. */
function problemOf(pattern: string): string | null {
  try {
    expressionOf(pattern).test('');
    return null;
  } catch (error) {
    return error instanceof RangeError ? 'it is too complex' : (error as Error).message;
  }
}
