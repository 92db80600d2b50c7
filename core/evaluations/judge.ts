import { normalForm } from '../../reader/normal-form.js';
import type { EvaluationQuestion, Verdict } from '../schemas/evaluations.js';
import { numberPattern, WRITTEN_NUMBER } from './number-pattern.js';

/** The parts of an answer that are judged: its text, and the titles of the sources that it cites. */
export interface JudgedAnswer {
  text: string;
  titles: readonly string[];
}

const normalised = (text: string): string =>
  normalForm(text, 'NFKC')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[–—−]/g, '-')
    .replace(/[*`|]/g, ' ')
    .replace(/\s+/g, ' ');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns the expression for a text, in which numbers match however they are written. */
function withNumbers(text: string): string {
  const numbers = text.match(WRITTEN_NUMBER) ?? [];
  const between = text.split(WRITTEN_NUMBER).map((part) => escaped(part).replace(/ /g, '\\s*'));
  return between
    .flatMap((part, i) => [part, ...(i < numbers.length ? [numberFor(numbers[i] ?? '')] : [])])
    .join('');
}

const numberFor = (written: string): string => numberPattern(written) ?? escaped(written);

const EXPRESSION = /^\/(.+)\/$/s;

/** Returns whether the pattern is a regular expression. Any other pattern is a text. */
export const isExpression = (pattern: string): boolean => EXPRESSION.test(pattern);

/** Compiles the pattern, which may be slow. Throws SyntaxError for an invalid regular expression. */
export function expressionOf(pattern: string): RegExp {
  const [, source] = EXPRESSION.exec(pattern) ?? [];
  if (source !== undefined) return new RegExp(source, 'iu');
  const text = normalised(pattern).trim();
  // A number or a short word must match as a whole; a longer word must match from its start.
  const before = /^\d/.test(text) ? '(?<![\\d]|\\d[.,:])' : /^[a-z]/.test(text) ? '(?<![a-zà-ÿ])' : '';
  const after = /\d$/.test(text) ? '(?!\\d|[.,:]\\d)' : /^[a-z]{1,4}$/.test(text) ? '(?![a-zà-ÿ])' : '';
  return new RegExp(before + withNumbers(text) + after, 'u');
}

/** Returns a test whether a pattern occurs in an answer. */
export function matcherOf(text: string): (pattern: string) => boolean {
  const answer = normalised(text);
  return (pattern) => expressionOf(pattern).test(answer);
}

/** Returns whether a pattern occurs in a text. */
type Matcher = (pattern: string, text: string) => boolean;

/** Judges an answer. A regular expression of a client may take exponential time: call it in a thread. */
export function judge(
  question: EvaluationQuestion,
  { text, titles }: JudgedAnswer,
  matches: Matcher = (pattern, answer) => expressionOf(pattern).test(answer),
): Exclude<Verdict, 'failed'> {
  const cites = titles.length > 0;
  if (question.unanswerable) return cites ? 'wrong' : 'refused';
  if (!cites) return 'refused';
  const answer = normalised(text);
  const has = (pattern: string): boolean => matches(pattern, answer);
  const isCited = (title: string): boolean => titles.includes(title);
  const { source, sourceMode } = question;
  const citesSome = source.some(isCited);
  const citesEnough = sourceMode === 'any' ? citesSome : source.every(isCited);
  const misleads = question.mustNot.some(has);
  const isComplete = citesEnough && question.answer.every((group) => group.some(has));
  if (isComplete) return misleads ? 'partly' : 'right';
  return citesSome && !misleads ? 'partly' : 'wrong';
}
