import type { Found, Passage, QuestionTerm } from '../knowledge/text/passages.js';
import { readQna } from '../knowledge/text/qna-text.js';
import type { AskedAgent } from '../ports/retrieval.port.js';
import type { ChunkRange, Excerpt, ExcerptReads } from '../ports/store/knowledge/excerpts.js';
import { ask } from './ask.js';
import { estimateTokens } from './context-tokens.js';
import { questionMatcher } from './coverage.js';
import { isEntryFor } from './same-question.js';
import type { FoundChunk, Search } from './search.js';
import { withWholeStructures } from './whole-structures.js';

/** Finds passages in an agent's sources that may answer a question. `previous` is the user's message before it. */
export type FindPassages = (agent: AskedAgent, question: string, previous?: string) => Promise<Found>;

interface FindPassagesOptions {
  search: Search;
  reads: ExcerptReads;
  /** Token budget of all passages together. */
  maxContextTokens: number;
}

const CANDIDATES = 20;
const PER_DOCUMENT = 3;
const PASSAGES = 8;
/** Minimum code points of a chunk that is returned alone; a shorter chunk is returned with its neighbour. */
const SHORT = 300;

/**
 * Creates the search for passages. The search changes nothing and rejects with RetrievalUnavailable or
 * StoreUnavailable.
 */
export function createFindPassages({ search, reads, maxContextTokens }: FindPassagesOptions): FindPassages {
  return async (agent, question, previous) => {
    const { found, ...known } = await ask(search, {
      agent,
      question,
      ...(previous === undefined ? {} : { previous }),
      limit: CANDIDATES,
      sourceTypes: null,
    });
    const chosen = choose(questionsFirst(found, known.terms, question));
    const excerpts = await withNeighbours(reads, agent.id, chosen);
    const whole = await withWholeStructures(reads, agent.id, excerpts);
    const passages = within(maxContextTokens, whole.map(passageOf));
    return { ...known, passages };
  };
}

/** Moves entries with the same or a similar question to the front. */
function questionsFirst(
  found: readonly FoundChunk[],
  terms: readonly QuestionTerm[],
  question: string,
): FoundChunk[] {
  const first = found.filter(({ excerpt }) => isEntryFor(excerpt, question));
  if (first.length > 0) return [...first, ...found.filter((one) => !first.includes(one))];
  const isSame = questionMatcher(terms);
  const isAsked = ({ excerpt }: FoundChunk): boolean =>
    excerpt.sourceType === 'qna_entry' && readQna(excerpt.text).questions.some(isSame);
  const asked = new Set(found.filter(isAsked));
  return [...asked, ...found.filter((one) => !asked.has(one))];
}

/** Picks the best hits, with a limit per document. Skips a hit whose chunk was already added as a neighbour. */
function choose(found: readonly FoundChunk[]): { hit: FoundChunk; range: ChunkRange }[] {
  const chosen: { hit: FoundChunk; range: ChunkRange }[] = [];
  for (const hit of found) {
    if (chosen.length === PASSAGES) break;
    const { documentId, first } = hit.excerpt;
    const ofDocument = chosen.filter(({ range }) => range.documentId === documentId);
    const isHeld = (chunk: number) =>
      ofDocument.some(({ range }) => range.first <= chunk && chunk <= range.last);
    if (ofDocument.length === PER_DOCUMENT || isHeld(first)) continue;
    chosen.push({ hit, range: { documentId, ...widened(hit.excerpt, isHeld) } });
  }
  return chosen;
}

/** Extends a short chunk, such as a bare heading, by the next chunk, or by the previous chunk if there is no next. */
function widened(
  { start, end, first, isLast }: Excerpt,
  isHeld: (chunk: number) => boolean,
): { first: number; last: number } {
  if (end - start >= SHORT) return { first, last: first };
  if (!isLast && !isHeld(first + 1)) return { first, last: first + 1 };
  if (first > 0 && !isHeld(first - 1)) return { first: first - 1, last: first };
  return { first, last: first };
}

/** Reads the ranges. A hit stays without its neighbour if its document has just changed. */
async function withNeighbours(
  reads: ExcerptReads,
  agentId: string,
  chosen: readonly { hit: FoundChunk; range: ChunkRange }[],
): Promise<{ score: number; excerpt: Excerpt }[]> {
  const wider = chosen.filter(({ range }) => range.last > range.first).map(({ range }) => range);
  const read = wider.length === 0 ? [] : await reads.excerpts(agentId, wider);
  return chosen.map(({ hit: { hit, excerpt }, range }) => {
    const wide = read[wider.indexOf(range)];
    return { score: hit.score, excerpt: wide?.version === hit.version ? wide : excerpt };
  });
}

const passageOf = ({ score, excerpt }: { score: number; excerpt: Excerpt }): Passage => {
  const { documentId, sourceType, title, url, start, end, text, headings } = excerpt;
  return { documentId, sourceType, title, url, start, end, text, headings, score };
};

/** Returns the best passages within the token budget, but at least one. */
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
