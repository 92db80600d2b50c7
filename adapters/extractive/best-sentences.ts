import type { Found, Passage, QuestionTerm } from '../../core/knowledge/passages.js';
import { isQuestion } from '../../core/knowledge/qna-text.js';
import { isBlank, sentencesOf, type TextRange } from '../../core/knowledge/sentences.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { isHeld } from '../../core/retrieval/coverage.js';

/** Consecutive sentences of one passage. */
export interface Quotation {
  /** Index of the passage. */
  passage: number;
  sentences: TextRange[];
}

interface Candidate {
  passage: number;
  /** Index within the passage. */
  at: number;
  score: number;
}

const PASSAGES = 5;
const SENTENCES = 2;
/** Weight of a term in an adjacent sentence, the title or a heading. */
const BESIDE = 0.25;
/** Minimum weight of a passage, relative to the best one. */
const LEAST_PASSAGE = 0.4;
/** Number of terms of a sentence of average length. */
const USUAL_TERMS = 20;
const LENGTH_WEIGHT = 0.1;
/** In UTF-16 units. */
const LONG_SENTENCE = 300;

/** Lines without a statement: headings, fences, rules, table borders, stored questions. */
const notASentence = /^(?:#{1,6}\s|`{3}|~{3}|[\s|:=*_-]+$)/;
const isAside = (line: string): boolean => notASentence.test(line) || isQuestion(line);

/** Returns the quotable sentences of a passage. */
const quotable = (text: string): TextRange[] =>
  sentencesOf(text)
    .filter(({ start, end }) => !isAside(text.slice(start, end)))
    .flatMap((sentence) => divided(text, sentence));

/** Splits long texts at spaces: Thai and its neighbours separate sentences by spaces, and lists may lack full stops. */
function divided(text: string, { start, end }: TextRange): TextRange[] {
  const pieces: TextRange[] = [];
  let first = start;
  for (let at = start; at < end; at++) {
    if (at - first < LONG_SENTENCE || !isBlank(text.charCodeAt(at))) continue;
    pieces.push({ start: first, end: at });
    while (at + 1 < end && isBlank(text.charCodeAt(at + 1))) at++;
    first = at + 1;
  }
  if (first < end) pieces.push({ start: first, end });
  return pieces;
}

/**
 * Returns the sentences that answer the question best, with their neighbours: the best document first, in text order.
 * Empty if none match.
 */
export function bestSentences({ passages, terms }: Found): Quotation[] {
  const looked = passages.slice(0, PASSAGES);
  const sentences = looked.map(({ text }) => quotable(text));
  const best = looked
    .flatMap((passage, index) => candidates(passage, index, sentences[index] ?? [], terms, looked))
    .sort((a, b) => b.score - a.score || a.passage - b.passage || a.at - b.at)
    .slice(0, SENTENCES);
  return merged(best, looked, sentences);
}

function candidates(
  passage: Passage,
  index: number,
  sentences: TextRange[],
  terms: readonly QuestionTerm[],
  passages: readonly Passage[],
): Candidate[] {
  const top = Math.max(...passages.map(({ score }) => score));
  const relative = top > 0 ? Math.max(0, passage.score) / top : 1;
  const factor = LEAST_PASSAGE + (1 - LEAST_PASSAGE) * relative;
  const words = sentences.map(({ start, end }) => analyse(passage.text.slice(start, end)));
  const sets = words.map((list) => new Set(list));
  const above = new Set(analyse([passage.title, ...passage.headings].join('\n')));
  return sets.map((own, at) => {
    const beside = [sets[at - 1], sets[at + 1], above];
    const held = terms.reduce((sum, term) => {
      if (isHeld(term, own)) return sum + term.weight;
      return beside.some((set) => set && isHeld(term, set)) ? sum + BESIDE * term.weight : sum;
    }, 0);
    const length = (words[at]?.length ?? 0) / USUAL_TERMS;
    return { passage: index, at, score: (factor * held) / (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length) };
  });
}

/** Adds the neighbours of sentences and merges adjacent ranges. */
function merged(best: Candidate[], passages: readonly Passage[], sentences: TextRange[][]): Quotation[] {
  const wanted = new Map<number, Set<number>>();
  for (const { passage, at } of best) {
    const places = wanted.get(passage) ?? new Set();
    wanted.set(
      passage,
      places
        .add(at - 1)
        .add(at)
        .add(at + 1),
    );
  }
  const quotations = [...wanted].flatMap(([passage, places]) => {
    const runs: TextRange[][] = [];
    let open: TextRange[] | null = null;
    for (const [at, sentence] of (sentences[passage] ?? []).entries()) {
      if (!places.has(at)) open = null;
      else if (open !== null) open.push(sentence);
      else {
        open = [sentence];
        runs.push(open);
      }
    }
    return runs.map((run) => ({ passage, sentences: run }));
  });
  const documentOf = ({ passage }: Quotation) => passages[passage]?.documentId;
  const rank = (quotation: Quotation) =>
    quotations.findIndex((other) => documentOf(other) === documentOf(quotation));
  const place = ({ passage, sentences: [first] }: Quotation) =>
    (passages[passage]?.start ?? 0) + (first?.start ?? 0);
  return [...quotations].sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
