import type { Found, Passage, QuestionTerm } from '../knowledge/passages.js';
import type { AskedAgent, SearchTerm } from '../ports/retrieval.port.js';
import type { ChunkRange, Stretch, StretchReads } from '../ports/store/stretches.js';
import { estimateTokens } from './context-tokens.js';
import { shareOf, weigh, wordsOf } from './coverage.js';
import { questionTerms } from './question-terms.js';
import type { FoundChunk, Search, SearchResult } from './search.js';

/** What an agent knows about a question; `previous` is the user's message before it. */
export type FindPassages = (agent: AskedAgent, question: string, previous?: string) => Promise<Found>;

interface FindPassagesOptions {
  search: Search;
  reads: StretchReads;
  /** Budget for all passages together. */
  maxContextTokens: number;
}

const CANDIDATES = 20;
const PER_DOCUMENT = 3;
const PASSAGES = 8;
/** In code points: what is shorter takes the chunk beside it in. */
const SHORT = 300;
/** A question with fewer words that the agent knows leans on the message before. */
const ENOUGH_KNOWN = 4;
/** A stored question that holds so much of what was asked is the same question. */
const SAME_QUESTION = 0.6;

/**
 * From a question to passages. Reads, and never changes anything; rejects with RetrievalUnavailable
 * or StoreUnavailable.
 */
export function createFindPassages({ search, reads, maxContextTokens }: FindPassagesOptions): FindPassages {
  return async (agent, question, previous) => {
    const { result, terms } = await ask(search, agent, question, previous);
    const weighed = weigh(terms, result.answer);
    const chosen = choose(questionsFirst(result.found, weighed));
    const stretches = await withNeighbours(reads, agent.id, chosen);
    const passages = within(maxContextTokens, stretches.map(passageOf));
    const coverage = Math.max(0, ...passages.map((passage) => shareOf(weighed, wordsOf(passage))));
    const { isNear } = result.answer;
    return { passages, coverage, terms: weighed, ...(isNear === undefined ? {} : { isNear }) };
  };
}

async function ask(
  search: Search,
  agent: AskedAgent,
  question: string,
  previous: string | undefined,
): Promise<{ result: SearchResult; terms: SearchTerm[] }> {
  const request = { agent, question, limit: CANDIDATES, sourceTypes: null };
  const terms = questionTerms(question);
  const result = await search({ ...request, terms });
  const known = result.answer.frequencies.filter((frequency) => frequency > 0).length;
  if (previous === undefined || known >= ENOUGH_KNOWN) return { result, terms };
  const both = questionTerms(question, previous);
  return {
    result: await search({ ...request, question: `${previous}\n${question}`, terms: both }),
    terms: both,
  };
}

/** An entry whose question is the one that was asked comes before whatever ranks above it. */
function questionsFirst(found: readonly FoundChunk[], terms: readonly QuestionTerm[]): FoundChunk[] {
  const isAsked = ({ stretch }: FoundChunk): boolean =>
    stretch.sourceType === 'qna_entry' &&
    storedQuestions(stretch.text).some((stored) => shareOf(terms, stored) >= SAME_QUESTION);
  const asked = new Set(found.filter(isAsked));
  return [...asked, ...found.filter((one) => !asked.has(one))];
}

/** A stored entry has a line for each question, before its answer. */
const storedQuestions = (text: string): string[] =>
  text.match(/^Q: .*$/gm)?.map((line) => line.slice(3)) ?? [];

/** The best hits, not too many of one document. A hit that is already shown as a neighbour is not shown twice. */
function choose(found: readonly FoundChunk[]): { hit: FoundChunk; range: ChunkRange }[] {
  const chosen: { hit: FoundChunk; range: ChunkRange }[] = [];
  for (const hit of found) {
    if (chosen.length === PASSAGES) break;
    const { documentId, first } = hit.stretch;
    const ofDocument = chosen.filter(({ range }) => range.documentId === documentId);
    const isHeld = (chunk: number) =>
      ofDocument.some(({ range }) => range.first <= chunk && chunk <= range.last);
    if (ofDocument.length === PER_DOCUMENT || isHeld(first)) continue;
    chosen.push({ hit, range: { documentId, ...widened(hit.stretch, isHeld) } });
  }
  return chosen;
}

/**
 * A short chunk, such as a heading without text, says little without the one after it, or before
 * it where none follows.
 */
function widened(
  { start, end, first, isLast }: Stretch,
  isHeld: (chunk: number) => boolean,
): { first: number; last: number } {
  if (end - start >= SHORT) return { first, last: first };
  if (!isLast && !isHeld(first + 1)) return { first, last: first + 1 };
  if (first > 0 && !isHeld(first - 1)) return { first: first - 1, last: first };
  return { first, last: first };
}

/** The texts of the ranges; the hit alone where a neighbour is missing, because its document has just changed. */
async function withNeighbours(
  reads: StretchReads,
  agentId: string,
  chosen: readonly { hit: FoundChunk; range: ChunkRange }[],
): Promise<{ score: number; stretch: Stretch }[]> {
  const wider = chosen.filter(({ range }) => range.last > range.first).map(({ range }) => range);
  const read = wider.length === 0 ? [] : await reads.stretches(agentId, wider);
  return chosen.map(({ hit: { hit, stretch }, range }) => {
    const wide = read[wider.indexOf(range)];
    return { score: hit.score, stretch: wide?.version === hit.version ? wide : stretch };
  });
}

const passageOf = ({ score, stretch }: { score: number; stretch: Stretch }): Passage => {
  const { documentId, sourceType, title, url, start, end, text, headings } = stretch;
  return { documentId, sourceType, title, url, start, end, text, headings, score };
};

/** The best ones that fit together; one at least. */
function within(maxTokens: number, passages: readonly Passage[]): Passage[] {
  const fitting: Passage[] = [];
  let left = maxTokens;
  for (const passage of passages) {
    left -= estimateTokens(passage.text);
    if (left < 0 && fitting.length > 0) break;
    fitting.push(passage);
  }
  return fitting;
}
