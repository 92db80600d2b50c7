import { expressionOf, isExpression, judge } from '../../core/evaluations/judge.js';
import type { EvaluationQuestion, Verdict } from '../../core/schemas/evaluations.js';
import { TimeUp, withinTime } from './time-limit.js';

export interface JudgeTask {
  question: EvaluationQuestion;
  text: string;
  titles: readonly string[];
  /** Patterns of the question that have recently been too slow. */
  slow: readonly string[];
}

export interface CompileTask {
  patterns: readonly string[];
}

export type Judgement =
  | { verdict: Exclude<Verdict, 'failed'> }
  | 'unusable'
  /** The time limit was exceeded. `late` is the slowest regular expression; null if none was used. */
  | { late: string | null };

/** The problem of each pattern, or null for a valid pattern. Null as a whole if the time limit was exceeded. */
export type PatternProblems = (string | null)[] | null;

/** Time limit in milliseconds. Patterns take less than a millisecond, unless they backtrack exponentially. */
const JUDGE_MS = 2000;
/** Time limit in milliseconds: twice the maximum for the patterns of a valid request. */
const COMPILE_MS = 2000;

export const runTask = (task: JudgeTask | CompileTask): Judgement | PatternProblems =>
  'patterns' in task ? patternProblems(task) : judgeAnswer(task);

class Unusable extends Error {}

function judgeAnswer({ question, slow, ...answer }: JudgeTask): Judgement {
  let running: { pattern: string; beganAt: number } | null = null;
  let slowest: { pattern: string | null; ms: number } = { pattern: null, ms: 0 };
  const recordTime = (pattern: string, beganAt: number): void => {
    const ms = performance.now() - beganAt;
    if (isExpression(pattern) && ms > slowest.ms) slowest = { pattern, ms };
  };
  const matches = (pattern: string, text: string): boolean => {
    if (slow.includes(pattern)) throw new Unusable();
    const beganAt = performance.now();
    running = { pattern, beganAt };
    try {
      return expressionOf(pattern).test(text);
    } catch (error) {
      throw problemIn(error) === null ? error : new Unusable();
    } finally {
      running = null;
      recordTime(pattern, beganAt);
    }
  };
  try {
    return { verdict: withinTime(JUDGE_MS, () => judge(question, answer, matches)) };
  } catch (error) {
    if (error instanceof Unusable) return 'unusable';
    if (!(error instanceof TimeUp)) throw error;
    // The time limit interrupts the work without running `finally`.
    const interrupted = running as { pattern: string; beganAt: number } | null;
    if (interrupted) recordTime(interrupted.pattern, interrupted.beganAt);
    return { late: slowest.pattern };
  }
}

function patternProblems({ patterns }: CompileTask): PatternProblems {
  try {
    return withinTime(COMPILE_MS, () => patterns.map(problemOf));
  } catch (error) {
    if (error instanceof TimeUp) return null;
    throw error;
  }
}

/**
 * Returns the problem of a pattern; null if it is valid. Runs the expression, because V8 compiles it only on its
 * first use.
 */
function problemOf(pattern: string): string | null {
  try {
    expressionOf(pattern).test('');
    return null;
  } catch (error) {
    const problem = problemIn(error);
    if (problem === null) throw error;
    return problem;
  }
}

/** Returns the problem of a pattern that caused an error; null if the error has another cause. */
function problemIn(error: unknown): string | null {
  // The expression exceeds the memory limit of V8 for one expression.
  if (error instanceof RangeError) return 'it is too complex';
  // The syntax depends on the version of V8, so a stored pattern may have become invalid.
  return error instanceof SyntaxError ? error.message : null;
}
