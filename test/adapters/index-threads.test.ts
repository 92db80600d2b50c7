import t from 'tap';
import { startIndexThreads } from '../../adapters/index-threads/index.js';
import { IndexerBusy, NotIndexable } from '../../core/ports/indexer.port.js';
import { silentLog } from '../../core/ports/log.port.js';

const text = 'Herons wait for fish. '.repeat(3000);

t.test('long texts are indexed in threads', async (t) => {
  const indexer = startIndexThreads(silentLog);
  t.teardown(() => indexer.close());
  for (const found of await Promise.all([1, 2, 3].map(() => indexer.index(text)))) {
    t.equal(found.text, text);
    t.ok(found.chunks.length > 1);
  }
});

t.test('a text whose time went while it waited for others may be sent again', async (t) => {
  const indexer = startIndexThreads(silentLog, 1);
  t.teardown(() => indexer.close());
  const ends = await Promise.allSettled([1, 2, 3].map(() => indexer.index(text)));
  t.strictSame(
    ends.map((end) => end.status === 'rejected' && end.reason.constructor),
    [NotIndexable, NotIndexable, IndexerBusy],
  );
});

t.test('a text that a stop has interrupted may be sent again', async (t) => {
  const indexer = startIndexThreads(silentLog);
  await indexer.index(text);
  const interrupted = t.rejects(indexer.index(text), { name: 'IndexerBusy' });
  await indexer.close();
  await interrupted;
});
