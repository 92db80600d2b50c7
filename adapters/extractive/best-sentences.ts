import type { Found, Passage, QuestionTerm } from '../../core/knowledge/passages.js';
import { isQuestion } from '../../core/knowledge/qna-text.js';
import { isBlank, type Stretch, sentencesOf } from '../../core/knowledge/sentences.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';

/** Consecutive sentences of one passage. */
export interface Quotation {
  /** Its place among the passages, from 0. */
  passage: number;
  sentences: Stretch[];
}

interface Candidate {
  passage: number;
  /** Its place among the sentences of the passage. */
  at: number;
  score: number;
}

const PASSAGES = 5;
const SENTENCES = 2;
/** What a word in a sentence beside it, in the title or in a heading counts. */
const BESIDE = 0.25;
/** A passage that matches hardly at all still counts so much beside the best one. */
const LEAST_PASSAGE = 0.4;
/** A sentence of so many terms is neither long nor short. */
const USUAL_TERMS = 20;
const LENGTH_WEIGHT = 0.1;
/** In UTF-16 units. */
const LONG_SENTENCE = 300;

/** Lines that say nothing by themselves: headings, fences, rules, borders of tables, stored questions. */
const notASentence = /^(?:#{1,6}\s|`{3}|~{3}|[\s|:=*_-]+$)/;
const isAside = (line: string): boolean => notASentence.test(line) || isQuestion(line);

/** The sentences of a passage that can be quoted. */
const quotable = (text: string): Stretch[] =>
  sentencesOf(text)
    .filter(({ start, end }) => !isAside(text.slice(start, end)))
    .flatMap((sentence) => divided(text, sentence));

/**
 * Thai and its neighbours put spaces between sentences, and lists may lack full stops: what is too
 * long is divided there.
 */
function divided(text: string, { start, end }: Stretch): Stretch[] {
  const pieces: Stretch[] = [];
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
 * The sentences that answer the question best, each with its neighbours: those of one document in its order,
 * the best document first. Empty when there is none.
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
  sentences: Stretch[],
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
    const held = terms.reduce((sum, { term, weight }) => {
      if (own.has(term)) return sum + weight;
      return beside.some((set) => set?.has(term)) ? sum + BESIDE * weight : sum;
    }, 0);
    const length = (words[at]?.length ?? 0) / USUAL_TERMS;
    return { passage: index, at, score: (factor * held) / (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length) };
  });
}

/** Sentences with their neighbours, those that touch as one. */
function merged(best: Candidate[], passages: readonly Passage[], sentences: Stretch[][]): Quotation[] {
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
    const runs: Stretch[][] = [];
    let open: Stretch[] | null = null;
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
