import type { QuestionTerm, Support } from '../knowledge/text/passages.js';
import type { SearchAnswer, SearchRequest } from '../ports/retrieval.port.js';
import { coverageBy, shareBy, supportOf, titlesOf, weigh, wordsOf } from './coverage.js';
import { type AskedWord, askedWords, searchTerms } from './question-terms.js';
import { isEntryFor } from './same-question.js';
import type { FoundChunk, Search, SearchResult } from './search.js';
import { isSameChunk, type NearestSentence, nearestSentence } from './vectors/meaning.js';
import { refersBack } from './words/follow-ups.js';
import { namesIn } from './words/names.js';
import { stopWordsWithMeaning } from './words/similar-words.js';
import { spellingsOf } from './words/spellings.js';
import { isValueKind } from './words/value-kinds.js';

/** A search in plain words. */
export interface Asked extends Omit<SearchRequest, 'terms'> {
  /** The previous message of the user. */
  previous?: string;
}

export interface AskResult {
  /** Best first. */
  found: FoundChunk[];
  terms: QuestionTerm[];
  /** Share of the question's information in the best chunk, 0 to 1. */
  coverage: number;
  support: Support;
  /** The sentence of the first chunk that answers the question by its meaning, although no words cover it; else null. */
  answeringSentence: string | null;
  /** The sentence that is nearest to a question that no words cover; null without vectors, or if words cover it. */
  nearest: NearestSentence | null;
}

/** Number of hits that are ranked by coverage. */
const CANDIDATES = 12;
/** Share of coverage in the score of a hit. */
const COVERAGE_SHARE = 0.4;
/** Added to the score of a hit whose title and headings cover the question. */
const TITLE_SHARE = 0.2;
/** Maximum number of words whose spelling is corrected. Each has hundreds of possible spellings. */
const CORRECTED_WORDS = 4;
/**
 * Share of a word's weight that passes to its likely spellings. Below 1, because many words resemble a known word by
 * chance.
 */
const SPELLING_SHARE = 0.85;
/** Minimum number of topic words in a question whose ranking the previous message does not influence. */
const ENOUGH_WORDS = 3;
/**
 * Minimum coverage of the question itself by a passage that was found together with the previous message, relative to
 * the best passage without it.
 */
const AS_WELL = 0.9;

/**
 * Searches for a question alone, and again together with the previous message if the question depends on it and the
 * sources do not cover it alone.
 */
export async function ask(search: Search, { previous, ...request }: Asked): Promise<AskResult> {
  const { question } = request;
  const own = askedWords(question);
  const topics = own.filter(({ word, isCommon }) => !isCommon && !isValueKind(word));
  const isShort = topics.length < ENOUGH_WORDS;
  const alone = await askFor(search, request, {
    words: own,
    previous: isShort ? previous : undefined,
    isHint: true,
  });
  if (previous === undefined || hasAsked(alone, question)) return alone;
  if (!isShort && alone.support === 'covered') return alone;
  const isWithoutTopic = namesNoTopic(topics, own, question);
  if (!isWithoutTopic && !refersBack(question, previous)) return alone;
  const together = await askFor(search, request, {
    words: askedWords(question, previous),
    previous,
    isHint: false,
  });
  const isAnswered = together.support === 'covered' || alone.support !== 'covered';
  return isAnswered && (isWithoutTopic || holdsQuestion(together, alone)) ? together : alone;
}

/**
 * Returns whether a question names no topic, or only a kind of value, as in "How much does that cost?". "Do you sell
 * phones?" asks for no phone number.
 */
const namesNoTopic = (topics: readonly AskedWord[], own: readonly AskedWord[], question: string): boolean =>
  topics.every(({ alternatives }) => alternatives.some(isValueKind)) &&
  own.some(({ isCommon }) => isCommon) &&
  (topics.length === 0 || stopWordsWithMeaning(question).length === 0);

/** Returns whether an entry with exactly this question was found. */
const hasAsked = ({ found: [first] }: AskResult, question: string): boolean =>
  first !== undefined && isEntryFor(first.excerpt, question);

/**
 * Returns whether the search together with the previous message found a passage about the question itself, and not only
 * about the previous message.
 */
function holdsQuestion(together: AskResult, alone: AskResult): boolean {
  const [first] = together.found;
  return first !== undefined && shareBy(alone.terms)(wordsOf(first.excerpt)) >= AS_WELL * alone.coverage;
}

interface Words {
  words: readonly AskedWord[];
  previous: string | undefined;
  isHint: boolean;
}

/**
 * Searches for words. If the sources do not cover them, it searches again, with known words at an edit distance of one
 * added to the words that no source contains.
 */
async function askFor(
  search: Search,
  request: Omit<Asked, 'previous'>,
  { words: typed, previous, isHint }: Words,
): Promise<AskResult> {
  const question = isHint || previous === undefined ? request.question : `${previous}\n${request.question}`;
  const run = async (words: readonly AskedWord[], known: readonly FoundChunk[] = []) => {
    const terms = searchTerms(words, request.question, { previous, isHint });
    const limit = Math.max(request.limit, CANDIDATES);
    const result = await search({ ...request, limit, question, terms }, known);
    const frequencies = frequenciesOf(terms, result.ranked);
    const weighed = weigh(words, { chunks: result.ranked.chunks, frequencies });
    return { result, frequencies, asked: { ...rank(result, weighed, request.question), terms: weighed } };
  };
  const atMost = ({ found, ...asked }: AskResult): AskResult => ({
    ...asked,
    found: found.slice(0, request.limit),
  });
  const first = await run(typed);
  if (first.asked.support === 'covered') return atMost(first.asked);
  const corrected = await correct(search, request, typed, first.frequencies);
  const second = corrected === null ? first : await run(corrected, first.result.found);
  const isKnown = (term: string) => (second.frequencies.get(term) ?? 0) > 0;
  // No passage with another name answers a question about this one, however similar it is.
  const asksForUnknown = namesIn(request.question).some((terms) => !terms.some(isKnown));
  return atMost(
    second.asked.support === 'covered' || asksForUnknown
      ? second.asked
      : await rescued(second.result, second.asked),
  );
}

/**
 * Looks for an answer by its meaning to a question that no words cover. The coverage counts against the similarity,
 * because shared words make every sentence about their topic similar, whether or not it has the answer.
 */
async function rescued({ found, ranked: { meaning } }: SearchResult, asked: AskResult): Promise<AskResult> {
  const first = meaning?.nearest[0];
  if (meaning === undefined || first === undefined) return asked;
  const nearest = Number.isFinite(meaning.answeringSimilarity) ? await nearestSentence(found, meaning) : null;
  if (nearest !== null && nearest.similarity - asked.coverage >= meaning.answeringSimilarity) {
    const chunk = asked.found.find(({ hit }) => isSameChunk(hit, nearest.chunk.hit)) ?? nearest.chunk;
    return {
      ...asked,
      found: startingWith(chunk, asked.found),
      support: 'covered',
      answeringSentence: nearest.sentence,
      nearest,
    };
  }
  const isRelated =
    first.score >= meaning.leastSimilarity && found.some(({ hit }) => isSameChunk(hit, first));
  return { ...asked, support: asked.support === 'none' && isRelated ? 'near' : asked.support, nearest };
}

const byWords = { answeringSentence: null, nearest: null };

/** Orders the hits, and classifies how well they answer the question by their words. */
function rank(
  { found, ranked }: SearchResult,
  terms: readonly QuestionTerm[],
  question: string,
): Omit<AskResult, 'terms'> {
  const share = shareBy(terms);
  const coverageOf = coverageBy(terms, question);
  const entry = found.find(({ excerpt }) => isEntryFor(excerpt, question));
  if (entry !== undefined)
    return { found: startingWith(entry, found), coverage: 1, support: 'covered', ...byWords };
  const coverages = new Map(found.slice(0, CANDIDATES).map((one) => [one, coverageOf(one.excerpt)]));
  const coverage = Math.max(0, ...coverages.values());
  return {
    found: byCoverage(found, coverages, share),
    coverage,
    support: supportOf(coverage, ranked.chunks),
    ...byWords,
  };
}

/**
 * Reranks the candidates by a blend of score and coverage, because coverage counts related forms of the question's
 * words in full.
 */
function byCoverage(
  found: readonly FoundChunk[],
  coverages: ReadonlyMap<FoundChunk, number>,
  share: (text: string) => number,
): FoundChunk[] {
  const best = found[0]?.hit.score || 1;
  const scoreOf = (one: FoundChunk) => {
    const byWords = (1 - COVERAGE_SHARE) * (one.hit.score / best);
    const coverage = coverages.get(one);
    if (coverage === undefined) return byWords;
    return byWords + COVERAGE_SHARE * coverage + TITLE_SHARE * share(titlesOf(one.excerpt));
  };
  return found
    .map((one) => ({ ...one, hit: { ...one.hit, score: scoreOf(one) } }))
    .sort((a, b) => b.hit.score - a.hit.score);
}

/** Moves a hit to the front, with the best score. */
function startingWith(first: FoundChunk, found: readonly FoundChunk[]): FoundChunk[] {
  const score = found[0]?.hit.score ?? 0;
  return [{ ...first, hit: { ...first.hit, score } }, ...found.filter((one) => one !== first)];
}

const frequenciesOf = (
  terms: readonly { term: string }[],
  { frequencies }: SearchAnswer,
): Map<string, number> => new Map(terms.map(({ term }, n) => [term, frequencies[n] ?? 0]));

/** Adds likely spellings to words that no source contains. Returns null if it finds none. */
async function correct(
  search: Search,
  { agent: { id, knowledgeVersion, removals }, ...request }: Omit<SearchRequest, 'terms'>,
  words: readonly AskedWord[],
  frequencies: ReadonlyMap<string, number>,
): Promise<AskedWord[] | null> {
  const isKnown = (term: string) => (frequencies.get(term) ?? 0) > 0;
  const spellings = new Map(
    words
      .filter(({ isCommon, terms, alternatives }) => !isCommon && ![...terms, ...alternatives].some(isKnown))
      .slice(0, CORRECTED_WORDS)
      .map((word) => [word, spellingsOf(word.word)]),
  );
  const terms = [...new Set([...spellings.values()].flat())].map((term) => ({ term, weight: 1 }));
  if (terms.length === 0) return null;
  // Leave out the agent's vectors, so that only words are searched.
  const agent = { id, knowledgeVersion, removals };
  const { ranked } = await search({ ...request, agent, terms, limit: 0 });
  const found = frequenciesOf(terms, ranked);
  if (![...found.values()].some((frequency) => frequency > 0)) return null;
  return words.flatMap((word) => {
    const known = spellings.get(word)?.filter((term) => (found.get(term) ?? 0) > 0) ?? [];
    if (known.length === 0) return word;
    return [
      { ...word, weight: word.weight * SPELLING_SHARE, alternatives: [...word.alternatives, ...known] },
      { ...word, weight: word.weight * (1 - SPELLING_SHARE) },
    ];
  });
}
