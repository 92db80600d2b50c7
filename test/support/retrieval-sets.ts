import { readSet, xquadMissing, xquadOf } from './xquad.js';

/** Documents, and questions with the numbers of the documents that answer them. */
export interface RetrievalSet {
  name: string;
  documents: { title: string; text: string }[];
  questions: { text: string; relevant: number[] }[];
}

/** Why the sets cannot be measured, or false. */
export const retrievalSetsMissing = xquadMissing;

export const xquadLanguages = ['en', 'de', 'zh', 'th'] as const;

/** XQuAD as paragraph retrieval: each question has one relevant paragraph. */
export function xquad(language: (typeof xquadLanguages)[number]): RetrievalSet {
  const { paragraphs, questions } = xquadOf(language);
  return {
    name: `XQuAD ${language}`,
    documents: paragraphs.map(({ text }, n) => ({ title: `Paragraph ${n}`, text })),
    questions: questions.map(({ question, paragraph }) => ({ text: question, relevant: [paragraph] })),
  };
}

/** SciFact as in BEIR. */
export function scifact(): RetrievalSet {
  const documents = readSet('scifact/documents.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; title: string; text: string });
  const places = new Map(documents.map(({ id }, n) => [id, n]));
  const claims = JSON.parse(readSet('scifact/claims.json')) as { text: string; relevant: string[] }[];
  return {
    name: 'SciFact',
    documents,
    questions: claims.map(({ text, relevant }) => ({
      text,
      relevant: relevant.flatMap((id) => places.get(id) ?? []),
    })),
  };
}

/**
 * Normalised discounted cumulative gain of the first ten, each document counted once (Järvelin and Kekäläinen,
 * 2002).
 */
export function ndcg10(ranked: readonly number[], relevant: readonly number[]): number {
  const gain = (rank: number) => 1 / Math.log2(rank + 2);
  const found = [...new Set(ranked)].slice(0, 10);
  const got = found.reduce((sum, document, rank) => sum + (relevant.includes(document) ? gain(rank) : 0), 0);
  const best = relevant.slice(0, 10).reduce((sum, _, rank) => sum + gain(rank), 0);
  return got / best;
}
