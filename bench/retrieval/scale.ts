import type { SearchRequest } from '../../core/ports/retrieval.port.js';
import { questionTerms } from '../../core/retrieval/question-terms.js';
import { scifact } from '../../test/support/retrieval-sets.js';
import type { SearchInstallation } from '../../test/support/search-installation.js';
import { quantile } from './quantile.js';

/* What a question costs: an agent of 10,000 chunks alone, and one of 1,000 chunks among 400 such agents. */

const CHUNK_CHARACTERS = 1150;
const DOCUMENT_CHUNKS = 10;
const LIMIT = 20;

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Documents of ten chunks each, out of shuffled sentences of real abstracts. */
function madeDocuments(chunks: number, seed: number): { title: string; text: string }[] {
  const sentences = scifact().documents.flatMap(({ text }) => text.split(/(?<=\.) /));
  const random = randomFrom(seed);
  const sentence = () => sentences[Math.floor(random() * sentences.length)] as string;
  return Array.from({ length: chunks / DOCUMENT_CHUNKS }, (_, n) => {
    let text = '';
    while (text.length < CHUNK_CHARACTERS * DOCUMENT_CHUNKS) text += `${sentence()} `;
    return { title: `Document ${n}`, text };
  });
}

/** Processor time of the whole process for one question each: in milliseconds, in order of size. */
async function costs(
  ask: (question: string) => Promise<unknown>,
  questions: readonly string[],
): Promise<number[]> {
  const measured: number[] = [];
  for (const question of questions) {
    const before = cpuMs();
    await ask(question);
    measured.push(cpuMs() - before);
  }
  return measured.sort((a, b) => a - b);
}

const rounded = (ms: number | undefined): number => Number((ms ?? 0).toFixed(2));
const COLD_ROUNDS = 5;

/** What a question to this agent costs when its index is there, and when it must be read first. */
async function measureAgent(installation: SearchInstallation, agentId: string) {
  const questions = scifact().questions.map(({ text }) => text);
  const agent = await installation.store.reads.knowledge(agentId);
  if (agent === null) throw new Error('no such agent');
  const requestOf = (question: string): SearchRequest => ({
    agent,
    question,
    terms: questionTerms(question),
    limit: LIMIT,
    sourceTypes: null,
  });
  const rank = (question: string) => installation.retrieval.search(requestOf(question));
  const { chunks } = await rank('what');
  await costs(rank, questions);
  const warm = await costs(rank, questions);
  const passages = await costs((question) => installation.search(agentId, question, LIMIT), questions);
  const cold: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    await installation.retrieval.forget(agentId);
    cold.push(...(await costs(rank, ['what'])));
  }
  cold.sort((a, b) => a - b);
  return {
    chunks,
    'warm p50, ms': rounded(quantile(warm, 0.5)),
    'warm p99, ms': rounded(quantile(warm, 0.99)),
    'with passages p50, ms': rounded(quantile(passages, 0.5)),
    'with passages p99, ms': rounded(quantile(passages, 0.99)),
    'cold median, ms': Math.round(quantile(cold, 0.5)),
    'cold worst, ms': Math.round(cold.at(-1) ?? 0),
  };
}

const NEIGHBOURS = 400;
const NEIGHBOUR_CHUNKS = 1000;

/** So many agents more, each with the same documents under ids of its own. */
async function addNeighbours(installation: SearchInstallation, count: number): Promise<void> {
  const documents = madeDocuments(NEIGHBOUR_CHUNKS, 3);
  for (let n = 0; n < count; n++) await installation.agentWith(documents);
}

/** The table of this bench: alone at 1,000 and 10,000 chunks, and at 1,000 chunks among the others. */
export async function measureScale(installation: SearchInstallation, withNeighbours: boolean) {
  const small = await installation.agentWith(madeDocuments(NEIGHBOUR_CHUNKS, 2));
  const large = await installation.agentWith(madeDocuments(10_000, 1));
  const rows: Record<string, object> = {
    'an agent of 1,000 chunks': await measureAgent(installation, small.agentId),
    'an agent of 10,000 chunks': await measureAgent(installation, large.agentId),
  };
  if (!withNeighbours) return rows;
  await addNeighbours(installation, NEIGHBOURS);
  rows[`the one of 1,000 chunks among ${NEIGHBOURS} others`] = await measureAgent(
    installation,
    small.agentId,
  );
  return rows;
}
