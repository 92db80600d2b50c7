import { analyse } from '../../../../core/retrieval/analysis/analyse.js';
import { termHash } from '../../../../core/retrieval/analysis/term-hash.js';
import { type IndexPart, without } from '../../../../core/retrieval/index/index-part.js';
import { joinParts } from '../../../../core/retrieval/index/join-parts.js';
import { mergeSegments, type SegmentDocument } from '../../../../core/retrieval/index/merge-segments.js';
import { MOST_TERMS, rank } from '../../../../core/retrieval/index/rank.js';
import t from '../../../support/t.js';
import { rankedByTheBook, sampleDocuments, segmentOf } from './sample-documents.js';

function merged(documents: readonly SegmentDocument[]): IndexPart {
  const merge = mergeSegments(documents);
  for (;;) {
    const { done, value } = merge.next();
    if (done) return value;
  }
}

const termsOf = (query: string, weight = 1) => {
  const hashes = Uint32Array.from(new Set(analyse(query)), (term) => termHash(term));
  return { hashes, weights: new Float64Array(hashes.length).fill(weight) };
};

const ranked = (parts: readonly IndexPart[], query: string, sourceTypes: number[] | null = null) =>
  rank(parts, { terms: termsOf(query), limit: 20, sourceTypes });

const queries = ['w1x', 'w7x w19x w2999x', 'w3x w44x w1200x w5x', 'w1x w2x w3x w4x w5x w6x', 'absent w9x'];

t.test('ranks chunks like the textbook formula', async (t) => {
  const documents = sampleDocuments(60);
  const index = [merged(documents.map(segmentOf))];
  for (const query of queries) {
    const expected = rankedByTheBook(documents, query, 20);
    const { chunks } = ranked(index, query);
    t.same(
      chunks.map(({ score: _, ...place }) => place),
      expected.map(({ score: _, ...place }) => place),
      query,
    );
    for (const [n, { score }] of chunks.entries())
      t.ok(Math.abs(score - (expected[n]?.score ?? 0)) < 1e-9, `score ${n} of ${query}`);
  }
});

t.test('the ranking does not depend on how the index was built', async (t) => {
  const segments = sampleDocuments(200).map(segmentOf);
  const whole = merged(segments);
  const base = merged(segments.slice(0, 150));
  const overlay = merged(segments.slice(150, 180));
  const newest = merged(segments.slice(180));
  for (const query of queries) {
    const expected = ranked([whole], query);
    t.ok(expected.chunks.length > 0);
    t.same(ranked([base, overlay, newest], query), expected, `${query}: three parts`);
    t.same(ranked([newest, joinParts(overlay, base)], query), expected, `${query}: joined, in another order`);
    t.same(ranked([joinParts(joinParts(base, overlay), newest)], query), expected, `${query}: all joined`);
  }
});

t.test('deleted and replaced documents do not count', async (t) => {
  const documents = sampleDocuments(120);
  const kept = documents.filter((_, n) => n % 3 !== 0);
  const before = without(merged(documents.map(segmentOf)), ({ version }) => version % 3 === 1);
  const replaced = sampleDocuments(10, 7).map((document, n) => ({ ...document, version: 1000 + n }));
  const after = merged(replaced.map(segmentOf));
  const expected = merged([...kept, ...replaced].map(segmentOf));
  for (const query of queries) {
    t.same(ranked([before, after], query), ranked([expected], query), `${query}: beside each other`);
    t.same(ranked([joinParts(before, after)], query), ranked([expected], query), `${query}: joined`);
  }
  t.equal(before.liveChunks + after.liveChunks, expected.liveChunks);
});

t.test('returns only documents of the wanted types, weighted among all', async (t) => {
  const segments = sampleDocuments(80).map(segmentOf);
  const index = [merged(segments)];
  const all = ranked(index, 'w3x');
  const some = ranked(index, 'w3x', [1, 2]);
  const isWanted = (id: string) => [1, 2].includes(segments.find((one) => one.id === id)?.sourceType ?? 0);
  t.ok(some.chunks.length > 0 && some.chunks.every(({ documentId }) => isWanted(documentId)));
  t.same(some.frequencies, all.frequencies);
});

t.test('weights scale the contribution of a word', async (t) => {
  const index = [merged(sampleDocuments(40).map(segmentOf))];
  const [full, half] = [1, 0.5].map((weight) =>
    rank(index, { terms: termsOf('w3x', weight), limit: 5, sourceTypes: null }),
  );
  for (const [n, { score }] of (full?.chunks ?? []).entries()) t.equal(half?.chunks[n]?.score, score / 2);
});

t.test('only the rarest of too many words are searched', async (t) => {
  const documents = sampleDocuments(100);
  const index = [merged(documents.map(segmentOf))];
  const page = Array.from({ length: 3000 }, (_, n) => `w${n}x`).join(' ');
  const { chunks, frequencies } = ranked(index, page);
  const rarest = frequencies.filter((n) => n > 0).sort((a, b) => a - b)[MOST_TERMS - 1] ?? 0;
  t.ok(frequencies.filter((n) => n > rarest).length > 0, 'the frequent ones are left out');
  t.equal(chunks.length, 20);
});

t.test('an index without documents finds nothing', async (t) => {
  t.same(ranked([], 'w1x'), { chunks: [], size: 0, frequencies: [0] });
  t.same(ranked([merged([])], 'w1x'), { chunks: [], size: 0, frequencies: [0] });
});
