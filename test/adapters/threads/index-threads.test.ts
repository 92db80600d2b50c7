import { startIndexThreads } from '../../../adapters/threads/index-threads.js';
import { IndexerBusy, NotIndexable } from '../../../core/ports/indexer.port.js';
import { silentLog } from '../../../core/ports/log.port.js';
import t from '../../support/t.js';

const owner = { workspaceId: 'w', agentId: 'a' };
const text = 'Herons wait for fish. '.repeat(3000);

t.test('long texts are indexed in threads', async (t) => {
  const indexer = startIndexThreads(silentLog);
  t.teardown(() => indexer.close());
  for (const found of await Promise.all([1, 2, 3].map(() => indexer.index(text, owner)))) {
    t.equal(found.text, text);
    t.ok(found.chunks.length > 1);
  }
});

t.test('a text that timed out in the queue may be sent again', async (t) => {
  const indexer = startIndexThreads(silentLog, 1);
  t.teardown(() => indexer.close());
  const ends = await Promise.allSettled([1, 2, 3].map(() => indexer.index(text, owner)));
  t.strictSame(
    ends.map((end) => end.status === 'rejected' && end.reason.constructor),
    [NotIndexable, NotIndexable, IndexerBusy],
  );
});

t.test('a text that a stop interrupted may be sent again', async (t) => {
  const indexer = startIndexThreads(silentLog);
  await indexer.index(text, owner);
  const interrupted = t.rejects(indexer.index(text, owner), { name: 'IndexerBusy' });
  await indexer.close();
  await interrupted;
});

t.test('long texts of another workspace do not wait behind all those of one', async (t) => {
  const indexer = startIndexThreads(silentLog);
  t.teardown(() => indexer.close());
  const ended: string[] = [];
  const index = async (workspaceId: string) => {
    await indexer.index(text, { workspaceId, agentId: workspaceId });
    ended.push(workspaceId);
  };
  // A thread that is still starting would delay its first text.
  await Promise.all([1, 2].map(() => indexer.index(text, owner)));
  await Promise.all([...Array.from({ length: 20 }, () => index('many')), index('one')]);
  t.ok(ended.indexOf('one') < 10, `${ended.indexOf('one')} came first`);
});

t.test('a workspace has at most a hundred long texts queued', async (t) => {
  const indexer = startIndexThreads(silentLog);
  t.teardown(() => indexer.close());
  const many = Promise.allSettled(Array.from({ length: 200 }, () => indexer.index(text, owner)));
  t.ok(await indexer.index(text, { workspaceId: 'other', agentId: 'b' }), 'another one is not refused');
  const refused = (await many).flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  t.ok(refused.length > 90);
  t.ok(refused.every((reason) => reason instanceof IndexerBusy));
});
