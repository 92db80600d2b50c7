import type { Owner } from '../fairness/owner.js';
import type { Judge } from '../ports/judge.port.js';
import { limits } from '../schemas/limits.js';
import { isExpression } from './judge.js';
import type { SentQuestion } from './new-question.js';

type Expectations = Pick<SentQuestion, 'answer' | 'mustNot'>;

const { max, characters } = limits.evaluations.expressions;

/**
 * Returns the problems of the regular expressions in questions: too many, too long in total, or unusable. They are worded
 * to follow the name of a field. `nameOf` returns a prefix for the question with an index; by default none.
 */
export async function patternProblems(
  questions: readonly Expectations[],
  { judge, owner }: { judge: Pick<Judge, 'patternProblems'>; owner: Owner },
  nameOf: (index: number) => string = () => '',
): Promise<string[]> {
  const sent = questions.flatMap(({ answer = [], mustNot = [] }, n) =>
    [...answer.flat(), ...mustNot].filter(isExpression).map((pattern) => ({ pattern, n })),
  );
  const patterns = [...new Set(sent.map(({ pattern }) => pattern))];
  if (patterns.length > max)
    return [`must not contain more than ${max.toLocaleString('en')} regular expressions`];
  if (codePoints(patterns.join('')) > characters)
    return [
      `must not contain regular expressions of more than ${characters.toLocaleString('en')} characters`,
    ];
  if (patterns.length === 0) return [];
  const found = await judge.patternProblems(patterns, owner);
  const unusable = new Map(patterns.map((pattern, n) => [pattern, found[n] ?? null]));
  const first = new Map<number, string>();
  for (const { pattern, n } of sent) {
    const reason = unusable.get(pattern) ?? null;
    if (reason !== null && !first.has(n))
      first.set(n, `${nameOf(n)}has the pattern ${pattern}, which cannot be used: ${reason}`);
  }
  return [...first.values()];
}

const codePoints = (text: string): number => [...text].length;
