import assert from 'node:assert/strict';
import type { StoreTest } from './store.contract.js';
import { contentOf, documentOf, filePath, jobWith, NOW, taskWith } from './store.contract.subject.js';

export function describeUploads(test: StoreTest): void {
  test('an upload is visible to its agent until it is released, and registered once', async (s) => {
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const path = filePath(agentId, 'a.txt');
    await s.turn(agentId, async (turn) => {
      await turn.uploads.insert([
        { storagePath: path, fileName: 'ä.txt', issuedAt: NOW },
        { storagePath: filePath(agentId, 'b.txt'), fileName: 'b.txt', issuedAt: NOW },
      ]);
      assert.deepEqual(await turn.uploads.open(), { count: 2, bytes: 0 });
      assert.equal(await turn.uploads.register(path, 12, NOW + 1), true);
      assert.equal(await turn.uploads.register(path, 13, NOW + 2), false);
      assert.deepEqual(await turn.uploads.open(), { count: 1, bytes: 0 });
    });
    const row = {
      storagePath: path,
      agentId,
      workspaceId: s.workspaceId,
      fileName: 'ä.txt',
      issuedAt: NOW,
      registeredAt: NOW + 1,
      bytes: 12,
    };
    assert.deepEqual(await s.beside.reads.upload(agentId, path), row);
    await s.turn(other, async (turn) => {
      assert.equal(await turn.uploads.find(path), null);
      assert.equal(await turn.uploads.register(filePath(agentId, 'b.txt'), 1, NOW), false);
      assert.deepEqual(await turn.uploads.open(), { count: 1, bytes: 0 }, 'of the whole workspace');
    });
    await s.turn(agentId, async (turn) => {
      assert.deepEqual(await turn.uploads.find(path), row);
      assert.equal(await turn.uploads.register(path, 13, NOW + 2), false);
      await turn.uploads.release(path);
      assert.equal(await turn.uploads.find(path), null);
    });
    assert.equal(await s.beside.reads.upload(agentId, path), null);
    assert.equal(await s.beside.reads.upload(other, filePath(agentId, 'b.txt')), null);
  });

  test('of two concurrent registrations, one is the first', async (s) => {
    const agentId = await s.newAgent();
    const path = filePath(agentId, 'a.txt');
    await s.turn(agentId, (turn) =>
      turn.uploads.insert([{ storagePath: path, fileName: 'a.txt', issuedAt: NOW }]),
    );
    const registered = await Promise.all(
      [s.store, s.beside].map(
        async (store) =>
          (await store.turns.run(agentId, null, (turn) => turn.uploads.register(path, 1, NOW))).result,
      ),
    );
    assert.deepEqual(registered.sort(), [false, true]);
  });

  test('uploads that were not registered in time are discarded, oldest first', async (s) => {
    const agentId = await s.newAgent();
    const issued = (name: string, issuedAt: number) => ({
      storagePath: filePath(agentId, name),
      fileName: name,
      issuedAt,
    });
    const [old, older, registered, young] = [
      issued('old', NOW - 10),
      issued('older', NOW - 20),
      issued('registered', NOW - 30),
      issued('young', NOW + 1),
    ];
    await s.turn(agentId, async (turn) => {
      await turn.uploads.insert([old, older, registered, young]);
      await turn.uploads.register(registered.storagePath, 1, NOW);
    });
    assert.equal(await s.store.uploads.abandon(NOW, 1), 1);
    assert.equal(await s.beside.reads.upload(agentId, older.storagePath), null);
    assert.ok(await s.beside.reads.upload(agentId, old.storagePath));
    assert.equal(await s.store.uploads.abandon(NOW, 10), 1);
    assert.equal(await s.store.uploads.abandon(NOW, 10), 0);
    assert.ok(await s.beside.reads.upload(agentId, registered.storagePath));
    assert.ok(await s.beside.reads.upload(agentId, young.storagePath));
    const discards = await s.beside.uploads.discards(NOW + 1, null, 10);
    assert.deepEqual(discards.map(({ path }) => path).sort(), [old.storagePath, older.storagePath].sort());
  });

  test('discards are read oldest first in pages, and deleted unless added again', async (s) => {
    await s.store.uploads.addDiscards(['agents/x/b', 'agents/x/a'], NOW);
    await s.store.uploads.addDiscards(['agents/x/0'], NOW + 1);
    const a = { path: 'agents/x/a', discardedAt: NOW };
    const b = { path: 'agents/x/b', discardedAt: NOW };
    const zero = { path: 'agents/x/0', discardedAt: NOW + 1 };
    assert.deepEqual(await s.beside.uploads.discards(NOW, null, 10), []);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 2, null, 10), [a, b, zero]);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 2, null, 2), [a, b]);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 2, a, 10), [b, zero]);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 1, b, 10), []);
    await s.store.uploads.addDiscards(['agents/x/b'], NOW + 5);
    await s.store.uploads.discarded([a, b]);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 9, null, 10), [
      zero,
      { ...b, discardedAt: NOW + 5 },
    ]);
    await s.store.uploads.addDiscards([], NOW);
    await s.store.uploads.discarded([]);
    assert.equal((await s.beside.uploads.discards(NOW + 9, null, 10)).length, 2);
  });

  test('a turn may discard an object again, or nothing', async (s) => {
    const agentId = await s.newAgent();
    await s.turn(agentId, async (turn) => {
      await turn.uploads.discard(['agents/x/a'], NOW);
      await turn.uploads.discard(['agents/x/a', 'agents/x/b'], NOW + 1);
      await turn.uploads.discard([], NOW + 2);
    });
    assert.deepEqual(await s.beside.uploads.discards(NOW + 9, null, 10), [
      { path: 'agents/x/a', discardedAt: NOW + 1 },
      { path: 'agents/x/b', discardedAt: NOW + 1 },
    ]);
  });

  test('an object without an upload, document, open task or discard is a stray', async (s) => {
    const agentId = await s.newAgent();
    const [upload, owned, discarded, stray] = ['upload', 'owned', 'discarded', 'stray'].map((name) =>
      filePath(agentId, name),
    ) as [string, string, string, string];
    const [open, ended] = [taskWith({ status: 'running' }), taskWith({ status: 'completed' })];
    await s.turn(agentId, async (turn) => {
      await turn.uploads.insert([{ storagePath: upload, fileName: 'a.txt', issuedAt: NOW }]);
      await turn.uploads.discard([discarded], NOW);
      await turn.documents.insert(
        documentOf(turn.agent, { sourceType: 'file_upload', storagePath: owned }),
        contentOf('A file.'),
      );
      await turn.jobs.insert(jobWith(), [open, ended]);
    });
    const results = [`results/${open.id}/1`, `results/${ended.id}/1`];
    const strays = await s.beside.uploads.strays([upload, owned, discarded, stray, ...results]);
    assert.deepEqual(strays.sort(), [stray, `results/${ended.id}/1`].sort());
    assert.deepEqual(await s.beside.uploads.strays([]), []);
  });

  test('bytes in transit are counted for the whole installation, and never exceed the limit', async (s) => {
    const agentId = await s.newAgent();
    const path = filePath(agentId, 'a.txt');
    await s.turn(agentId, (turn) =>
      turn.uploads.insert([{ storagePath: path, fileName: 'a.txt', issuedAt: NOW }]),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? s.store : s.beside).arrivals.begin(path, 30, 100)),
    );
    assert.equal(answers.filter((answer) => answer === 'accepted').length, 3);
    assert.equal(answers.filter((answer) => answer === 'full').length, 5);
    const open = () => s.turn(agentId, (turn) => turn.uploads.open());
    assert.deepEqual(await open(), { count: 1, bytes: 90 });
    assert.equal(await s.store.arrivals.end(path, 30, null), true);
    assert.equal(await s.store.arrivals.end(path, 30, 25), true);
    assert.equal(await s.beside.arrivals.end(path, 30, 20), true);
    assert.deepEqual(await open(), { count: 1, bytes: 25 }, 'the bigger of two that were stored');
    await s.turn(agentId, (turn) => turn.uploads.register(path, 25, NOW));
    assert.deepEqual(await open(), { count: 0, bytes: 0 });
  });

  test('an upload that is registered, unknown, or of a deleted agent is not wanted', async (s) => {
    const [agentId, doomed] = [await s.newAgent(), await s.newAgent()];
    const [path, lost] = [filePath(agentId, 'a.txt'), filePath(doomed, 'a.txt')];
    await s.turn(agentId, async (turn) => {
      await turn.uploads.insert([{ storagePath: path, fileName: 'a.txt', issuedAt: NOW }]);
      await turn.uploads.register(path, 1, NOW);
    });
    await s.turn(doomed, (turn) =>
      turn.uploads.insert([{ storagePath: lost, fileName: 'a.txt', issuedAt: NOW }]),
    );
    await s.turn(doomed, (turn) => turn.deleteAgent(NOW));
    for (const closed of [path, lost, filePath(agentId, 'never')]) {
      assert.equal(await s.store.arrivals.begin(closed, 1, 1000), 'closed');
      assert.equal(await s.store.arrivals.end(closed, 1, 1), false);
    }
  });
}
