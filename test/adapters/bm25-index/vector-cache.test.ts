import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import { createVectorCache } from '../../../adapters/bm25-index/vector-cache.js';

t.test('a caller that joins an outdated read reads the vectors again', async (t) => {
  let stored = 1;
  let reads = 0;
  const vectors = async () => {
    reads += 1;
    const seen = { documents: [], present: null, knowledgeVersion: stored, removals: 0 };
    await nextRound();
    return seen;
  };
  const cache = createVectorCache({ vectors }, 1_000_000);
  const first = cache.vectors('a', 'space', 1);
  stored = 2;
  const second = cache.vectors('a', 'space', 2);
  t.ok(await first);
  t.ok(await second, 'and is not told that there are none');
  t.equal(reads, 2);
});
