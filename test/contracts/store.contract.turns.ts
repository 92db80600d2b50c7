import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import type { AgentTurn } from '../../core/ports/store/agents/agent-turn.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import { KeyTaken } from '../../core/ports/store/store-errors.js';
import { documentsOf } from './documents.js';
import type { StoreTest } from './store.contract.js';
import {
  agentIn,
  contentOf,
  documentOf,
  filePath,
  jobWith,
  NOW,
  taskWith,
} from './store.contract.subject.js';

const gone = { name: 'AgentGone' };

/** One change of every kind that a turn can make, except deletion. */
async function everything(turn: AgentTurn): Promise<{ documentId: string; path: string; jobId: number }> {
  const { agent } = turn;
  const document = documentOf(agent);
  const path = filePath(agent.id, 'a.txt');
  turn.change({ name: 'changed' });
  turn.changeSettings({ changed: true });
  await turn.documents.insert(document, contentOf('What it says.'));
  await turn.addStorage(10);
  await turn.uploads.insert([{ storagePath: path, fileName: 'a.txt', issuedAt: NOW }]);
  await turn.uploads.discard(['agents/x/old.txt'], NOW);
  const job = await turn.jobs.insert(jobWith(), [taskWith({ status: 'queued' })]);
  return { documentId: document.id, path, jobId: job.id };
}

/** Turns as a whole: isolation, atomicity, and what other processes see. */
export function describeTurns(test: StoreTest): void {
  test('a response is stored with its turn, once per owner and key', async (s) => {
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const kept = {
      keyHash: 'k',
      fingerprint: 'f',
      response: { status: 201, body: { id: 'ü' } },
      createdAt: NOW,
    };
    const undone = s.turn(agentId, async (turn) => {
      await turn.responses.keep(kept);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    assert.equal(await s.beside.responses.find(agentId, 'k'), null);
    await s.turn(agentId, async (turn) => {
      await turn.responses.keep(kept);
      assert.deepEqual(await turn.responses.find('k'), kept);
    });
    assert.deepEqual(await s.beside.responses.find(agentId, 'k'), kept);
    await assert.rejects(
      s.turn(agentId, (turn) => turn.responses.keep(kept)),
      KeyTaken,
    );
    await assert.rejects(s.beside.responses.keep(agentId, kept), KeyTaken);
    assert.equal(await s.beside.responses.find(other, 'k'), null);
    await s.beside.responses.keep(other, { ...kept, response: { status: 200, body: {} } });
    assert.deepEqual((await s.beside.responses.find(other, 'k'))?.response, { status: 200, body: {} });
  });

  test('a turn returns its result and the new state; the version is incremented once', async (s) => {
    const agentId = await s.newAgent();
    const { result, state } = await s.store.turns.run(agentId, null, async (turn) => {
      turn.change({ name: 'one' });
      turn.change({ url: 'https://a.example/' });
      await turn.jobs.insert(jobWith(), []);
      return 'done';
    });
    assert.equal(result, 'done');
    assert.deepEqual(
      [state?.version, state?.name, state?.url, state?.jobs],
      [2, 'one', 'https://a.example/', 1],
    );
    assert.deepEqual(await s.seen(agentId), state);
  });

  test('turns of several processes follow each other, and each sees what the one before it wrote', async (s) => {
    const agentId = await s.newAgent();
    const append = () =>
      s.turn(agentId, async (turn) => {
        turn.change({ name: `${turn.agent.name}!` });
      });
    const { name: before } = (await s.seen(agentId)) ?? { name: '' };
    await Promise.all(Array.from({ length: 8 }, append));
    assert.equal((await s.seen(agentId))?.name, `${before}!!!!!!!!`);
    await assert.rejects(
      s.store.turns.run(uuidv7(), null, async () => {}),
      gone,
    );
  });

  test('a turn that starts from a remembered agent sees what others have written since', async (s) => {
    const agentId = await s.newAgent();
    const run = <T>(known: AgentState | null, work: (turn: AgentTurn) => Promise<T>) =>
      s.store.turns.run(agentId, known, work);
    const { state: known } = await run(null, async (turn) => turn.changeSettings({ ai: { model: 'x' } }));
    const same = await run(known, async (turn) => turn.settings());
    assert.deepEqual([same.result, same.state?.version], [{ ai: { model: 'x' } }, 2]);

    await s.turn(agentId, async (turn) => turn.change({ url: 'https://a.example/' }));
    assert.equal((await run(known, async (turn) => turn.agent.url)).result, 'https://a.example/');
    const ofAWebsite = async (turn: AgentTurn) => {
      if (turn.agent.url === null) throw new Error('it has no website');
      turn.change({ name: turn.agent.url });
      return turn.settings();
    };
    const renamed = await run(known, ofAWebsite);
    assert.deepEqual(renamed.result, { ai: { model: 'x' } });
    assert.deepEqual([renamed.state?.version, renamed.state?.name], [4, 'https://a.example/']);
    assert.deepEqual(await s.seen(agentId), renamed.state);
    const { state } = await run(known, async (turn) => turn.change({ url: null }));
    assert.deepEqual([state?.version, state?.name, state?.url], [5, 'https://a.example/', null]);

    await s.turn(agentId, (turn) => turn.deleteAgent(NOW));
    await assert.rejects(
      run(state, async (turn) => turn.change({ name: 'gone' })),
      gone,
    );
  });

  test('a turn without changes keeps the version', async (s) => {
    const agentId = await s.newAgent();
    const { state } = await s.store.turns.run(agentId, null, async (turn) => {
      await turn.settings();
      await turn.workspace();
      await turn.jobs.underWay();
    });
    assert.equal(state?.version, 1);
    assert.deepEqual(await s.seen(agentId), state);
  });

  test('a turn that throws changes nothing and rejects with the error', async (s) => {
    const agentId = await s.newAgent();
    const refusal = new Error('refused');
    const before = [await s.seen(agentId), await s.workspace()];
    let made: Awaited<ReturnType<typeof everything>> | undefined;
    await assert.rejects(
      s.turn(agentId, async (turn) => {
        made = await everything(turn);
        throw refusal;
      }),
      (error) => error === refusal,
    );
    assert.ok(made);
    assert.deepEqual([await s.seen(agentId), await s.workspace()], before);
    assert.deepEqual(await s.settings(agentId), {});
    assert.equal(await s.beside.reads.document(agentId, made.documentId), null);
    assert.equal(await s.beside.reads.content(agentId, made.documentId), null);
    assert.equal(await s.beside.reads.upload(agentId, made.path), null);
    assert.equal(await s.beside.operations.job(made.jobId), null);
    assert.deepEqual(await s.beside.tasks.unpublished(Number.MAX_SAFE_INTEGER, 10), []);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 1, null, 10), []);
  });

  test('a turn that deletes and then throws deletes nothing', async (s) => {
    const agentId = await s.newAgent();
    const { documentId } = await s.turn(agentId, everything);
    const before = [await s.seen(agentId), await s.workspace()];
    await assert.rejects(
      s.turn(agentId, async (turn) => {
        await turn.deleteAgent(NOW);
        throw new Error('refused');
      }),
    );
    assert.deepEqual([await s.seen(agentId), await s.workspace()], before);
    assert.ok(await s.beside.reads.content(agentId, documentId));
  });

  test('other processes see nothing of a turn before its commit, then all of it', async (s) => {
    const agentId = await s.newAgent();
    const glance = async () => ({
      agent: await s.seen(agentId),
      settings: await s.settings(agentId),
      documents: (await documentsOf(s.beside, agentId)).length,
      jobs: (await s.beside.reads.jobs(agentId, { limit: 10, before: null })).length,
      storage: (await s.workspace()).storageBytes,
      discards: (await s.beside.uploads.discards(NOW + 1, null, 10)).length,
    });
    const before = await glance();
    const { path } = await s.turn(agentId, async (turn) => {
      const made = await everything(turn);
      assert.deepEqual(await glance(), before);
      return made;
    });
    const { agent, ...after } = await glance();
    assert.deepEqual(after, { settings: { changed: true }, documents: 1, jobs: 1, storage: 10, discards: 1 });
    assert.deepEqual([agent?.name, agent?.version, agent?.documents.text_snippet], ['changed', 2, 1]);
    assert.ok(await s.beside.reads.upload(agentId, path));
  });

  test('a turn sees its own changes', async (s) => {
    const agentId = await s.newAgent();
    await s.turn(agentId, async (turn) => {
      const { documentId, path, jobId } = await everything(turn);
      assert.equal(turn.agent.name, 'changed');
      assert.deepEqual([turn.agent.jobs, turn.agent.documents.text_snippet], [1, 1]);
      assert.deepEqual(await turn.settings(), { changed: true });
      assert.equal((await turn.workspace()).storageBytes, 10);
      assert.equal((await turn.documents.find(documentId))?.id, documentId);
      assert.equal((await turn.uploads.find(path))?.storagePath, path);
      assert.deepEqual(await turn.uploads.open(), { count: 1, bytes: 0 });
      assert.equal((await turn.jobs.job(jobId))?.id, jobId);
      assert.deepEqual(await turn.jobs.underWay(), { agent: 1, workspace: 1, all: 1 });
    });
  });

  test('settings are replaced as a whole, and not affected by other changes', async (s) => {
    const agentId = await s.newAgent();
    await s.turn(agentId, async (turn) => turn.changeSettings({ a: 1, b: { c: [1, 'ü', null] } }));
    await s.turn(agentId, async (turn) => turn.change({ name: 'other' }));
    assert.deepEqual(await s.settings(agentId), { a: 1, b: { c: [1, 'ü', null] } });
    await s.turn(agentId, async (turn) => turn.changeSettings({ d: 2 }));
    assert.deepEqual(await s.settings(agentId), { d: 2 });
  });

  test('a turn reads settings of any size', async (s) => {
    const agentId = await s.newAgent();
    // The second has fewer than 4,096 characters and more bytes.
    for (const text of ['short', 'ü'.repeat(3000), 'x'.repeat(200_000)]) {
      await s.turn(agentId, async (turn) => turn.changeSettings({ text }));
      assert.deepEqual(await s.turn(agentId, (turn) => turn.settings()), { text });
    }
  });

  test('an attempt that throws leaves nothing of parts that it was the first to use', async (s) => {
    const agentId = await s.newAgent();
    const refusal = new Error('refused');
    await s.turn(agentId, async (turn) => {
      turn.changeSettings({ kept: true });
      const attempt = turn.attempt(async () => {
        await turn.documents.insert(documentOf(turn.agent), contentOf('Text.'));
        await turn.uploads.discard(['refused'], NOW);
        await turn.addStorage(10);
        turn.changeSettings({ kept: false });
        throw refusal;
      });
      await assert.rejects(attempt, (error) => error === refusal);
      assert.deepEqual(await turn.settings(), { kept: true });
      turn.change({ name: 'kept' });
    });
    const agent = await s.seen(agentId);
    assert.deepEqual([agent?.name, agent?.version, agent?.documents.text_snippet], ['kept', 2, 0]);
    assert.deepEqual(await s.settings(agentId), { kept: true });
    assert.deepEqual(await documentsOf(s.beside, agentId), []);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 1, null, 10), []);
    assert.equal((await s.workspace()).storageBytes, 0);
  });

  test('concurrent turns of one agent in two processes: none is lost or repeated', async (s) => {
    const agentId = await s.newAgent();
    const work = async (turn: AgentTurn) => {
      await turn.documents.insert(documentOf(turn.agent), contentOf('Text.'));
      await turn.addStorage(3);
      return turn.agent.documents.text_snippet;
    };
    const runs = await Promise.all(
      Array.from({ length: 24 }, (_, n) => (n % 2 ? s.store : s.beside).turns.run(agentId, null, work)),
    );
    const counted = runs.map(({ result }) => result).sort((a, b) => a - b);
    assert.deepEqual(
      counted,
      Array.from({ length: 24 }, (_, n) => n + 1),
    );
    const agent = await s.seen(agentId);
    assert.deepEqual([agent?.version, agent?.knowledgeVersion, agent?.documents.text_snippet], [25, 24, 24]);
    assert.equal((await s.workspace()).storageBytes, 72);
  });

  test('concurrent turns of many agents of one workspace: its storage is exact', async (s) => {
    const agents = await Promise.all(Array.from({ length: 6 }, () => s.newAgent()));
    await Promise.all(
      agents.flatMap((agentId, n) =>
        [5, -2, 7].map((bytes) =>
          (n % 2 ? s.store : s.beside).turns.run(agentId, null, (turn) => turn.addStorage(bytes)),
        ),
      ),
    );
    assert.equal((await s.workspace()).storageBytes, 60);
  });

  test('a turn that reads the workspace sees storage just used by another one', async (s) => {
    const [first, second] = [await s.newAgent(), await s.newAgent()];
    const limit = 100;
    const take = async (turn: AgentTurn) => {
      if ((await turn.workspace()).storageBytes + 30 > limit) return false;
      await turn.addStorage(30);
      return true;
    };
    const taken = await Promise.all(
      [first, second, first, second, first, second].map(
        async (agentId, n) => (await (n % 2 ? s.store : s.beside).turns.run(agentId, null, take)).result,
      ),
    );
    assert.equal(taken.filter(Boolean).length, 3);
    assert.equal((await s.workspace()).storageBytes, 90);
  });

  test('a turn that exceeds a concurrently used limit runs again and sees the new state', async (s) => {
    const [first, second] = [await s.newAgent(), await s.newAgent()];
    const bound = 100;
    const take = async (turn: AgentTurn) => {
      const { storageBytes } = await turn.workspaceNow();
      if (storageBytes + 30 >= bound) return false;
      await turn.addStorage(30, bound);
      return true;
    };
    const taken = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const { turns } = n % 2 ? s.store : s.beside;
        return (await turns.run(n % 3 ? first : second, null, take)).result;
      }),
    );
    assert.equal(taken.filter(Boolean).length, 3);
    assert.equal((await s.workspace()).storageBytes, 90);
  });

  test('an outdated cached state is not used by the turn', async (s) => {
    const agentId = await s.newAgent();
    const known = await s.seen(agentId);
    await s.beside.turns.run(agentId, known, async (turn) => turn.change({ name: 'newer' }));
    const { result, state } = await s.store.turns.run(agentId, known, async (turn) => {
      turn.change({ url: 'https://a.example/' });
      return turn.agent.name;
    });
    assert.equal(result, 'newer');
    assert.deepEqual([state?.version, state?.name], [3, 'newer']);
  });

  test('there is no turn without its agent, cached or not', async (s) => {
    await assert.rejects(
      s.turn(uuidv7(), async () => undefined),
      gone,
    );
    const agentId = await s.newAgent();
    const known = await s.seen(agentId);
    const { state } = await s.store.turns.run(agentId, known, (turn) => turn.deleteAgent(NOW));
    assert.equal(state, null);
    await assert.rejects(
      s.turn(agentId, async () => undefined),
      gone,
    );
    await assert.rejects(
      s.beside.turns.run(agentId, known, async () => undefined),
      gone,
    );
  });

  test('a deleted agent disappears for all processes, and its storage is released', async (s) => {
    const [agentId, kept] = [await s.newAgent(), await s.newAgent()];
    const file = documentOf(
      { id: agentId, workspaceId: s.workspaceId },
      { sourceType: 'file_upload', storagePath: filePath(agentId, 'file.txt') },
    );
    const { documentId, path, jobId } = await s.turn(agentId, async (turn) => {
      await turn.documents.insert(file, contentOf('A file.'));
      await turn.addStorage(10);
      return everything(turn);
    });
    await s.turn(kept, everything);
    await s.turn(agentId, (turn) => turn.deleteAgent(NOW));

    assert.equal(await s.seen(agentId), null);
    assert.equal(await s.settings(agentId), null);
    assert.deepEqual(
      (await s.beside.tasks.unpublished(Number.MAX_SAFE_INTEGER, 10)).map((task) => task.agentId),
      [kept],
      'its attempts on their way count no more',
    );
    for (const left of await s.beside.remains.list(NOW, 10)) await s.beside.remains.clear(left, NOW);
    assert.deepEqual(await s.beside.remains.list(NOW, 10), []);
    assert.equal(await s.beside.reads.document(agentId, documentId), null);
    assert.equal(await s.beside.reads.content(agentId, documentId), null);
    assert.equal(await s.beside.operations.job(jobId), null);
    const { agents, storageBytes } = await s.workspace();
    assert.deepEqual([agents, storageBytes], [1, 10]);
    const discarded = (await s.beside.uploads.discards(NOW + 1, null, 10)).map((row) => row.path);
    assert.deepEqual(discarded.sort(), [file.storagePath, path, 'agents/x/old.txt'].sort());
    assert.equal((await s.seen(kept))?.documents.text_snippet, 1);
  });

  test('agents created concurrently in two processes never exceed the limit', async (s) => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? s.store : s.beside).turns.create(agentIn(s.workspaceId), () => 3),
      ),
    );
    assert.equal(made.filter(Boolean).length, 3);
    assert.equal((await s.workspace()).agents, 3);
    assert.equal((await s.beside.operations.agentIds()).length, 3);
  });

  test('a new agent is stored as given, without settings', async (s) => {
    const agent = { ...agentIn(s.workspaceId), name: 'Ärger \u{1F600}', url: 'https://a.example/ü' };
    assert.equal(await s.store.turns.create(agent, ({ agents }) => agents + 1), true);
    assert.deepEqual(await s.seen(agent.id), agent);
    assert.deepEqual(await s.settings(agent.id), {});
    assert.equal(await s.store.turns.create(agentIn(s.workspaceId), ({ agents }) => agents), false);
  });
}
