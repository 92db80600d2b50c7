import type { EmbeddingOptions } from '../../adapters/openai-compatible/embedding/options.js';
import { answers, type FakeProvider, fallsSilent, type Play, startFakeProvider } from './fake-provider.js';

/* An embedding provider that knows the synonyms in the tests. */

const DIMENSIONS = 48;

/** Synonyms, one row per meaning. The search by words does not know the last one of each row. */
const meanings = [
  ['refund', 'refunds', 'refunded', 'reimbursed', 'reimbursement', 'indemnity'],
  ['money', 'cash', 'payment', 'banknotes'],
  ['car', 'automobile', 'vehicle', 'jalopy'],
  ['doctor', 'physician'],
];
const meaningOf = new Map(
  meanings.flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)),
);

function hashOf(word: string): number {
  let hash = 2166136261;
  for (const letter of word) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return hash >>> 0;
}

/** Equal texts get equal vectors; texts that share many meanings get similar ones. */
export function fakeVector(text: string, dimensions = DIMENSIONS): number[] {
  const vector: number[] = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hash = hashOf(meaningOf.get(word) ?? word);
    // Three dimensions per word, so that two words rarely collide.
    for (const shift of [0, 9, 18]) {
      const place = (hash >>> shift) % dimensions;
      vector[place] = (vector[place] ?? 0) + (((hash >>> (shift + 5)) & 1) === 0 ? 1 : -1);
    }
  }
  if (!vector.some((x) => x !== 0)) vector[0] = 1;
  return vector;
}

const inputOf = (body: Record<string, unknown>): string[] => body.input as string[];

/** Vectors for all texts; `change` may corrupt them. */
export const embeds =
  (change: (vectors: number[][]) => number[][] = (vectors) => vectors, dimensions = DIMENSIONS): Play =>
  (response, call) => {
    const vectors = change(inputOf(call.body).map((text) => fakeVector(text, dimensions)));
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    // In reverse order: clients must use the index.
    answers(200, { object: 'list', data: data.reverse(), model: call.body.model })(response, call);
  };

export const busyFor = (seconds: number): Play =>
  answers(429, { error: { message: 'slow down' } }, { 'retry-after': String(seconds) });

export { answers, fallsSilent };

export interface FakeEmbeddings extends FakeProvider {
  /** Texts received so far. */
  texts(): string[];
}

export async function startFakeEmbeddings(...plays: Play[]): Promise<FakeEmbeddings> {
  const provider = await startFakeProvider(...(plays.length === 0 ? [embeds()] : plays));
  return { ...provider, texts: () => provider.calls.flatMap(({ body }) => inputOf(body)) };
}

/** Options of openai-compatible for this provider. */
export const embeddingOptions = (
  baseUrl: string,
  changes: Partial<Omit<EmbeddingOptions, 'timeouts'>> & {
    timeouts?: Partial<EmbeddingOptions['timeouts']>;
  } = {},
): EmbeddingOptions => ({
  baseUrl,
  model: 'small-1',
  batchSize: 8,
  maxConcurrent: 4,
  documentPrefix: '',
  questionPrefix: '',
  maxCharacters: 8000,
  leastSimilarity: 0.25,
  answeringSimilarity: 0.45,
  ...changes,
  timeouts: { connectMs: 2000, requestMs: 30_000, questionMs: 5000, ...changes.timeouts },
});
