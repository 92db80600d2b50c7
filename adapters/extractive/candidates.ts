import { indexLinesIn } from '../../core/knowledge/text/index-lines.js';
import type { Found, Passage, QuestionTerm } from '../../core/knowledge/text/passages.js';
import { readQna } from '../../core/knowledge/text/qna-text.js';
import type { TextRange } from '../../core/knowledge/text/sentences.js';
import { cellsOf, linesOf } from '../../core/knowledge/text/table-rows.js';
import {
  labelOf,
  type Structure,
  structuresOf,
  titleAbove,
} from '../../core/knowledge/text/text-structure.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { findTerms, type TermSet, wordsOf } from '../../core/retrieval/coverage.js';
import { isNegated } from '../../core/retrieval/words/negations.js';
import { hasNumber } from '../../core/retrieval/words/numbers.js';
import { asksFor } from '../../core/retrieval/words/question-phrases.js';

/** Returns whether a question asks for a number, a price, a time or a date. */
export const asksForNumber = (question: string): boolean =>
  asksFor('time', question) || asksFor('number', question);

/** A structure of a passage, with the match of each item to the question. */
export interface Candidate {
  /** Index of the passage. */
  passage: number;
  /** The text that contains the structure. */
  text: string;
  structure: Structure;
  items: ItemMatch[];
  /** Terms in the innermost heading, by index. */
  heading: TermSet;
  /** Terms in the lead or the titles of the columns, by index. */
  near: TermSet;
  /** Terms in the title of each column of a table, by index. */
  columnTerms: TermSet[];
  /** The highest score of an item. */
  score: number;
  /** All structures below the same heading in order, including this one. */
  section: readonly Candidate[];
  /** Whether the question asks for a number, a price, a time or a date. */
  wantsNumber: boolean;
  /** Returns the sum of the terms' weights. */
  weightOf: (terms: Iterable<number>) => number;
}

export interface ItemMatch {
  score: number;
  /** Terms in the item itself, by index. */
  own: ReadonlySet<number>;
}

/** Weight of a term in the lead of an item, relative to a term in the item. */
const IN_LEAD = 0.6;
const IN_FARTHER_HEADING = 0.5;
/** Weight of a term in the heading directly above, if the question contains all its words. */
const IN_ASKED_HEADING = 1.05;
const IN_TITLE = 0.7;
const IN_NEIGHBOUR = 0.3;
/**
 * Added weight of each term that occurs anywhere in the passage, so that a passage with all terms ranks above
 * passages with some.
 */
const IN_PASSAGE = 0.3;
/** Minimum weight of a passage, relative to the best passage. */
const LEAST_PASSAGE = 0.4;
/** Number of terms in an average sentence. */
const USUAL_TERMS = 20;
const LENGTH_WEIGHT = 0.1;

/** Score factors of items that are more often the answer than other items with the same terms. */
const PROCEDURE = 1.1;
const HELD_LABEL = 1.15;
const NUMBER = 1.2;
/** Score factor of sentences that deny what the question states, or the reverse. */
const OPPOSITE = 0.7;
/** Score factor of items that contain nearly all terms of their passage, and the minimum share of these terms by weight. */
const COMPLETE = 1.1;
const NEARLY_ALL = 0.9;
/** Score factor of sentences that define a term of the question: "Record" means …, the amount (the "Deposit"). */
const DEFINITION = 1.4;
/** Score factor of the first sentence of a paragraph, which often states the topic. */
const FIRST = 1.1;
/** Score factor of short lines without a statement, such as captions. */
const CAPTION = 0.75;
const CAPTION_TERMS = 8;

/**
 * Returns the structures of the passages that share a term with the question, best first. If a sentence answers the
 * question by its meaning, returns only the structures with this sentence.
 */
export function candidatesOf({ passages, terms, answeringSentence }: Found, question: string): Candidate[] {
  const top = Math.max(...passages.map(({ score }) => score));
  const matching = {
    terms,
    termsIn: findTerms(terms),
    asked: new Set(terms.flatMap(({ forms }) => forms)),
    wantsNumber: asksForNumber(question),
    weightOf: (some: Iterable<number>) => [...some].reduce((sum, n) => sum + (terms[n]?.weight ?? 0), 0),
    isNegated: isNegated(question),
  };
  return passages
    .slice(0, answeringSentence === null ? undefined : 1)
    .flatMap((passage, index) => {
      const relative = top > 0 ? Math.max(0, passage.score) / top : 1;
      const factor = LEAST_PASSAGE + (1 - LEAST_PASSAGE) * relative;
      return candidatesIn(passage, index, { ...matching, factor });
    })
    .flatMap((candidate) =>
      answeringSentence === null ? candidate : withSentence(candidate, answeringSentence),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passage - b.passage || a.structure.start - b.structure.start);
}

/** Returns a structure in which only this sentence answers the question; none if it does not contain the sentence. */
function withSentence(candidate: Candidate, sentence: string): Candidate[] {
  const { text, structure } = candidate;
  const items = candidate.items.map((item, n) => {
    const isIt = sliced(text, structure.items[n] ?? null).trim() === sentence;
    return { ...item, score: isIt ? 1 : 0 };
  });
  return items.some(({ score }) => score > 0) ? [{ ...candidate, items, score: 1 }] : [];
}

interface Matching {
  terms: readonly QuestionTerm[];
  termsIn: (text: string) => TermSet;
  /** All forms of the terms. */
  asked: ReadonlySet<string>;
  /** Weight of the passage. */
  factor: number;
  wantsNumber: boolean;
  weightOf: Candidate['weightOf'];
  /** Whether the question contains a negation. */
  isNegated: boolean;
}

function candidatesIn(passage: Passage, index: number, matching: Matching): Candidate[] {
  const { termsIn, asked } = matching;
  const whole = termsIn(wordsOf(passage));
  const { text, structures: all } = structuresIn(passage);
  const skipped = new Set(indexLinesIn(text, passage.headings.at(-1) ?? '').map(({ start }) => start));
  const structures = all.flatMap((structure) => withoutLines(text, structure, skipped) ?? []);
  const sections = new Map<readonly string[], Candidate[]>();
  return structures.map((structure) => {
    const section = sections.get(structure.headings) ?? [];
    sections.set(structure.headings, section);
    const { headings, followsHeading, lead, columns } = structure;
    const title = titleAbove(headings);
    const heading = termsIn(title);
    const near = termsIn([sliced(text, lead), ...columns].join('\n'));
    const far = termsIn([passage.title, ...headings.slice(0, -1)].join('\n'));
    const isAsked = followsHeading && title !== passage.title && isAskedFor(title, asked);
    const items = matchesOf(text, structure, { heading, isAsked, near, far, whole }, matching);
    const score = Math.max(0, ...items.map((item) => item.score));
    const columnTerms = columns.map(termsIn);
    const candidate = {
      passage: index,
      text,
      structure,
      items,
      heading,
      near,
      columnTerms,
      score,
      section,
      wantsNumber: matching.wantsNumber,
      weightOf: matching.weightOf,
    };
    section.push(candidate);
    return candidate;
  });
}

/**
 * Divides a passage into structures. The questions of a question-and-answer entry count as the heading of its answer.
 */
function structuresIn({ sourceType, text, headings }: Passage): { text: string; structures: Structure[] } {
  if (sourceType !== 'qna_entry') return { text, structures: structuresOf(text, headings) };
  const { questions, answer } = readQna(text);
  return { text: answer ?? '', structures: structuresOf(answer ?? '', [questions.join('\n')]) };
}

/** Leaves out the items that consist of skipped lines, which are named by their starts; null if nothing remains. */
function withoutLines(text: string, structure: Structure, skipped: ReadonlySet<number>): Structure | null {
  if (structure.kind === 'code' || structure.kind === 'table') return structure;
  const items = structure.items.filter(
    (item) => !linesAround(text, item).every(({ start }) => skipped.has(start)),
  );
  return items.length === 0 && structure.items.length > 0 ? null : { ...structure, items };
}

/** Returns the whole lines of a range: a row of dots splits a line of contents into sentences. */
function linesAround(text: string, { start, end }: TextRange): TextRange[] {
  const newline = text.indexOf('\n', end);
  return linesOf(text, text.lastIndexOf('\n', start - 1) + 1, newline < 0 ? text.length : newline);
}

interface Surroundings {
  heading: TermSet;
  /** Whether the question contains all words of the innermost heading. */
  isAsked: boolean;
  near: TermSet;
  far: TermSet;
  whole: TermSet;
}

function matchesOf(
  text: string,
  structure: Structure,
  { heading, isAsked, near, far, whole }: Surroundings,
  { terms, termsIn, asked, factor, wantsNumber, weightOf: weightIn, isNegated: isAskedNegated }: Matching,
): ItemMatch[] {
  const { kind, columns, followsHeading, lead } = structure;
  const headingWeight = isAsked ? IN_ASKED_HEADING : followsHeading ? IN_LEAD : IN_FARTHER_HEADING;
  const lines = structure.items.map((item) => sliced(text, item));
  const words = lines.map(analyse);
  const own = lines.map(termsIn);
  const least = NEARLY_ALL * weightIn(whole);
  const definesAsked = (line: string): boolean => quotedIn(line).some((words) => isAskedFor(words, asked));
  const isProcedure = kind === 'code' || (kind === 'list' && isNumbered(lines[0] ?? ''));
  const isCaption = kind === 'paragraph' && words.flat().length < CAPTION_TERMS && !makesStatement(lines);
  return lines.map((line, at): ItemMatch => {
    const set = own[at] ?? new Set();
    const beside = kind === 'paragraph' ? [own[at - 1], own[at + 1]] : [];
    const weightOf = (term: number): number => {
      if (set.has(term)) return 1;
      if (heading.has(term) || near.has(term))
        return Math.max(heading.has(term) ? headingWeight : 0, near.has(term) ? IN_LEAD : 0);
      if (far.has(term)) return IN_TITLE;
      return beside.some((other) => other?.has(term)) ? IN_NEIGHBOUR : 0;
    };
    const matched = terms.reduce(
      (sum, { weight }, n) => sum + weight * (factor * weightOf(n) + (whole.has(n) ? IN_PASSAGE : 0)),
      0,
    );
    const bonus =
      (isProcedure ? PROCEDURE : 1) *
      (termsIn(labelIn(line, kind)).size > 0 ? HELD_LABEL : 1) *
      (wantsNumber && hasNumber([withoutNumber(line), ...columns].join()) ? NUMBER : 1) *
      (isCaption ? CAPTION : 1) *
      (weightIn(isAsked ? new Set([...set, ...heading]) : set) >= least ? COMPLETE : 1) *
      (definesAsked(line) ? DEFINITION : 1) *
      (isAskedNegated && !isNegated([...structure.headings.slice(-1), sliced(text, lead), line].join('\n'))
        ? OPPOSITE
        : 1) *
      (kind === 'paragraph' && at === 0 ? FIRST : 1);
    const length = (words[at]?.length ?? 0) / USUAL_TERMS;
    return { own: set, score: (bonus * matched) / (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length) };
  });
}

const sliced = (text: string, range: TextRange | null): string =>
  range === null ? '' : text.slice(range.start, range.end);

const numberOfItem = /^\(?\d+[.)]\s/;
export const isNumbered = (item: string): boolean => numberOfItem.test(item);
const withoutNumber = (item: string): string => item.replace(numberOfItem, '');

/** Returns whether the last line ends a sentence or contains a number. */
const makesStatement = (lines: readonly string[]): boolean => /[.!?。！？]$|\p{N}/u.test(lines.at(-1) ?? '');

/** Words in quotation marks, or in bold at the beginning of a line. */
const quoted = /["“„«「『‘]([^"“”„«»「」『』‘’\n]{1,60})["”“»」』’]|^[-*+\s]*\*\*([^*\n]{1,60})\*\*/gu;
const quotedIn = (line: string): string[] =>
  [...line.matchAll(quoted)].flatMap(([, marked = '', bold = '']) => marked || bold);

function labelIn(line: string, kind: Structure['kind']): string {
  if (kind === 'table') return cellsOf(line)[0] ?? '';
  return kind === 'fields' ? labelOf(line) : '';
}

/** Matches the number of a section: 4, 4.2, § 4, (b). */
const sectionNumber = /^(?:§\s*)?(?:\d+(?:\.\d+)*[.)]?|\(\w\))\s+/;

/** Returns whether the question contains every word of a title, apart from the number of its section. */
function isAskedFor(title: string, asked: ReadonlySet<string>): boolean {
  const words = analyse(title.replace(sectionNumber, ''));
  return words.length > 0 && words.every((word) => asked.has(word));
}
