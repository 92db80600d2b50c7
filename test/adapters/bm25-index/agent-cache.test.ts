import { setImmediate as nextRound } from 'node:timers/promises';
import { createAgentCache } from '../../../adapters/bm25-index/agent-cache.js';
import { bytesOfIndex, changed } from '../../../adapters/bm25-index/agent-index.js';
import t from '../../support/t.js';

t.test('a request that joins an outdated update runs another one', async (t) => {
  let stored = 1;
  let updates = 0;
  const cache = createAgentCache<{ version: number }>(1_000_000, () => 1);
  const get = (version: number) =>
    cache.get(
      'a',
      (value) => value.version >= version,
      async () => {
        updates += 1;
        const value = { version: stored };
        await nextRound();
        return value;
      },
    );
  const first = get(1);
  stored = 2;
  const second = get(2);
  t.match(await first, { value: { version: 1 }, origin: 'cold' });
  t.match(await second, { value: { version: 2 } });
  t.equal(updates, 2);
});

t.test('vectors stay cached while a new document waits for its own', async (t) => {
  const cache = createAgentCache<{ version: number }>(1_000_000, () => 1);
  const get = (update: (before: { version: number } | null) => { version: number } | null) =>
    cache.get(
      'a',
      () => false,
      async (before) => update(before),
    );
  await get(() => ({ version: 1 }));
  t.equal(await get(() => null), null);
  t.match(await get((before) => ({ version: (before?.version ?? 0) + 1 })), { value: { version: 2 } });
  cache.forget('a');
  t.equal(cache.bytes, 0);
});

t.test('indexes of many agents without sources stay within the memory', async (t) => {
  const cache = createAgentCache(1_000_000, bytesOfIndex);
  const search = (agent: number) =>
    cache.get(
      String(agent),
      () => true,
      () => changed(null, { knowledgeVersion: 1, removals: 0, documents: [], present: null }),
    );
  for (let agent = 0; agent < 1000; agent++) await search(agent);
  t.match(await search(999), { origin: 'warm' });
  t.match(await search(0), { origin: 'cold' }, 'each takes about 2 kB');
});
