import type { Found, Passage, QuestionTerm } from '../../core/knowledge/passages.js';
import { readQna } from '../../core/knowledge/qna-text.js';
import { type Structure, structuresOf } from '../../core/knowledge/text-structure.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { isHeld } from '../../core/retrieval/coverage.js';

/** A structure of a passage, with how well its items match the question. */
export interface Candidate {
  /** Index of the passage. */
  passage: number;
  text: string;
  structure: Structure;
  items: ItemMatch[];
  /** Terms in the lead, the innermost heading or the header, by index. */
  near: ReadonlySet<number>;
  /** Score of the best item. */
  score: number;
}

interface ItemMatch {
  score: number;
  /** Terms in the item itself, by index. */
  own: ReadonlySet<number>;
}

/** Weights of a term beside the item, relative to a term in it. */
const IN_LEAD = 0.6;
const IN_FARTHER_HEADING = 0.4;
const IN_NEIGHBOUR = 0.3;
const IN_TITLE = 0.3;
/** Minimum weight of a passage, relative to the best one. */
const LEAST_PASSAGE = 0.5;
/** Number of terms of a sentence of average length. */
const USUAL_TERMS = 20;
const LENGTH_WEIGHT = 0.1;

/** Returns the structures of the passages that share a term with the question, best first. */
export function candidatesOf({ passages, terms }: Found): Candidate[] {
  const top = Math.max(...passages.map(({ score }) => score));
  return passages
    .flatMap((passage, index) => {
      const relative = top > 0 ? Math.max(0, passage.score) / top : 1;
      const factor = LEAST_PASSAGE + (1 - LEAST_PASSAGE) * relative;
      return structuresIn(passage).map(({ text, structure }) =>
        candidateOf(passage, index, text, structure, terms, factor),
      );
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passage - b.passage || a.structure.start - b.structure.start);
}

/** The questions of an entry are headings above its answer. */
function structuresIn({ sourceType, text, headings }: Passage): { text: string; structure: Structure }[] {
  if (sourceType !== 'qna_entry')
    return structuresOf(text, headings).map((structure) => ({ text, structure }));
  const { questions, answer } = readQna(text);
  if (answer === null) return [];
  return structuresOf(answer, [questions.join('\n')]).map((structure) => ({ text: answer, structure }));
}

function candidateOf(
  { title }: Passage,
  passage: number,
  text: string,
  structure: Structure,
  terms: readonly QuestionTerm[],
  factor: number,
): Candidate {
  const { headings, followsHeading, lead, header, items, kind } = structure;
  const ranged = (range: { start: number; end: number } | null): string =>
    range === null ? '' : text.slice(range.start, range.end);
  const near = termsIn([headings.at(-1) ?? '', ranged(lead), ranged(header)].join('\n'), terms);
  const nearWeight = lead === null && header === null && !followsHeading ? IN_FARTHER_HEADING : IN_LEAD;
  const far = termsIn([title, ...headings.slice(0, -1)].join('\n'), terms);
  const words = items.map((item) => analyse(ranged(item)));
  const own = words.map((list) => held(new Set(list), terms));
  const matches = own.map((set, at): ItemMatch => {
    const beside = kind === 'paragraph' ? [own[at - 1], own[at + 1]] : [];
    const sum = terms.reduce((all, { weight }, n) => {
      if (set.has(n)) return all + weight;
      if (near.has(n)) return all + nearWeight * weight;
      if (beside.some((other) => other?.has(n))) return all + IN_NEIGHBOUR * weight;
      return far.has(n) ? all + IN_TITLE * weight : all;
    }, 0);
    const length = (words[at]?.length ?? 0) / USUAL_TERMS;
    return { own: set, score: (factor * sum) / (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length) };
  });
  return {
    passage,
    text,
    structure,
    items: matches,
    near,
    score: Math.max(0, ...matches.map(({ score }) => score)),
  };
}

const termsIn = (text: string, terms: readonly QuestionTerm[]): Set<number> =>
  held(new Set(analyse(text)), terms);

/** Indices of the terms that the words contain. */
function held(words: ReadonlySet<string>, terms: readonly QuestionTerm[]): Set<number> {
  const indices = new Set<number>();
  for (const [n, term] of terms.entries()) if (term.weight > 0 && isHeld(term, words)) indices.add(n);
  return indices;
}
