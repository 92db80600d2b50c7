import type { SearchHit } from '../../../../core/ports/retrieval.port.js';
import { fuse } from '../../../../core/retrieval/vectors/fuse.js';
import {
  blockBytes,
  joinBlocks,
  partOfBlock,
  unitVector,
  vectorBlock,
} from '../../../../core/retrieval/vectors/vector-block.js';
import {
  bytesOfVectors,
  nearestChunks,
  noVectors,
  vectorIndex,
} from '../../../../core/retrieval/vectors/vector-index.js';
import t from '../../../support/t.js';

const vector = (...numbers: number[]) => Float32Array.from(numbers);
/** Deterministic random vectors. */
const made = (count: number, dimensions: number) =>
  Array.from({ length: count }, (_, n) =>
    Float32Array.from({ length: dimensions }, (_, k) => Math.sin(n * 7.3 + k * 1.7 + n * k)),
  );
const document = (id: string, vectors: Float32Array[], version = 1, sourceType = 0) => ({
  id,
  version,
  sourceType,
  dimensions: vectors[0]?.length ?? 0,
  vectors: vectorBlock(vectors, vectors[0]?.length ?? 0),
});
const all = () => true;
const anything = { limit: 100, sourceTypes: null };

t.test('blocks are split and joined unchanged', async (t) => {
  const vectors = made(7, 5);
  const block = vectorBlock(vectors, 5);
  t.equal(block.length, blockBytes(7, 5));
  const parts = [
    { first: 0, count: 3 },
    { first: 3, count: 0 },
    { first: 3, count: 4 },
  ].map((part) => partOfBlock(block, 5, part));
  t.same(parts[2], vectorBlock(vectors.slice(3), 5));
  t.same(joinBlocks(parts, 5), block);
  t.same(joinBlocks([], 5), new Uint8Array());
});

t.test('quantised vectors keep their direction', async (t) => {
  const vectors = made(50, 300);
  const index = vectorIndex(noVectors, all, [document('a', vectors)]);
  for (const [n, one] of vectors.entries()) {
    const [best] = nearestChunks(index ?? noVectors, unitVector(one), anything) ?? [];
    t.equal(best?.chunk, n);
    t.ok(Math.abs((best?.score ?? 0) - 1) < 0.001, `${best?.score}`);
  }
});

t.test('documents are added, replaced and removed; the rest is found as before', async (t) => {
  const first = vectorIndex(noVectors, all, [
    document('a', [vector(1, 0, 0), vector(0, 1, 0)]),
    document('b', [vector(0, 0, 1)], 1, 2),
    document('empty', []),
  ]);
  const second = vectorIndex(first ?? noVectors, ({ id }) => id === 'b', [
    document('a', [vector(1, 1, 0)], 5),
  ]);
  const found = (index: typeof first, more = anything) =>
    nearestChunks(index ?? noVectors, unitVector(vector(2, 1, 1)), more)?.map(
      ({ documentId, chunk, version }) => [documentId, chunk, version],
    );
  t.same(found(first), [
    ['a', 0, 1],
    ['a', 1, 1],
    ['b', 0, 1],
  ]);
  t.same(found(second), [
    ['a', 0, 5],
    ['b', 0, 1],
  ]);
  t.same(found(second, { ...anything, limit: 1 }), [['a', 0, 5]]);
  t.same(nearestChunks(second ?? noVectors, vector(1, 0, 0), { limit: 9, sourceTypes: [2] }), []);
  t.same(nearestChunks(second ?? noVectors, vector(0, 0, 1), { limit: 9, sourceTypes: [2] })?.length, 1);
  t.same(
    nearestChunks(second ?? noVectors, vector(1, 0), anything),
    null,
    'a vector of another length is near to none',
  );
  t.ok(bytesOfVectors(first ?? noVectors) > bytesOfVectors(second ?? noVectors));
});

t.test('vectors of two lengths make no index', async (t) => {
  const a = document('a', [vector(1, 0)]);
  t.equal(vectorIndex(noVectors, all, [a, document('b', [vector(1, 0, 0)])]), null);
  const index = vectorIndex(noVectors, all, [a]);
  t.equal(vectorIndex(index ?? noVectors, all, [document('b', [vector(1, 0, 0)])]), null);
});

t.test(
  'words lead, similarity decides between equal matches, and the nearest chunks are always found',
  async (t) => {
    const hit = (documentId: string, score: number): SearchHit => ({
      documentId,
      score,
      chunk: 0,
      version: 1,
      sourceType: 'text_snippet',
    });
    const byWords = [hit('a', 9), hit('b', 9), hit('c', 7)];
    const byVectors = [hit('d', 0.9), hit('b', 0.8), hit('a', 0.1)];
    const ids = (limit: number, always: number) =>
      fuse(byWords, byVectors, { limit, always }).map(({ documentId }) => documentId);
    t.same(ids(4, 1), ['b', 'a', 'c', 'd']);
    t.same(ids(3, 1), ['b', 'a', 'd']);
    t.same(ids(3, 0), ['b', 'a', 'c']);
    t.same(fuse([], [], { limit: 3, always: 1 }), []);
  },
);
