import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { openStore } from '../../../../adapters/sequelize/index.js';
import { emptyAgent } from '../../../../core/actors/agent/empty-agent.js';
import type { AgentTurn } from '../../../../core/ports/store/agents/agent-turn.js';
import type { Store } from '../../../../core/ports/store/store.port.js';
import { contentUnder, indexText } from '../../../../core/retrieval/index-text.js';
import { documentOf, jobWith, taskWith } from '../../../contracts/store.contract.subject.js';
import { type Engine, emptyDatabase, onEachEngine, startTestService } from '../../../support/service.js';
import { until } from '../../../support/until.js';

/* Deletion of agents with more data than one batch. */

const DOCUMENTS = 230;
const BYTES = 1000;
const NOW = 1_800_000_000;

const file = (agentId: string, n: number) => `agents/${agentId}/${n}.txt`;

/** Documents, half of them files, some uploads, and a job with as many tasks. */
async function fill(store: Store, agentId: string): Promise<void> {
  await store.turns.run(agentId, null, async (turn: AgentTurn) => {
    for (let n = 0; n < DOCUMENTS; n += 1) {
      const isFile = n % 2 === 0;
      await turn.documents.insert(
        documentOf(turn.agent, {
          sourceType: isFile ? 'file_upload' : 'text_snippet',
          title: `Document ${n}`,
          bytes: BYTES,
          storagePath: isFile ? file(agentId, n) : null,
        }),
        contentUnder(`Document ${n}`, indexText('What it says.')),
      );
    }
    await turn.addStorage(DOCUMENTS * BYTES);
    await turn.uploads.insert([{ storagePath: file(agentId, -1), fileName: 'a.txt', issuedAt: NOW }]);
    await turn.uploads.register(file(agentId, -1), BYTES, NOW);
    await turn.addStorage(BYTES);
    await turn.jobs.insert(
      jobWith({
        type: 'retrain',
        isRetrain: true,
        status: 'running',
        tasksCount: DOCUMENTS,
        startedAt: NOW,
      }),
      Array.from({ length: DOCUMENTS }, (_, n) =>
        taskWith({
          target: `https://a.example/?token=${n}`,
          isRetrain: true,
          status: n < 3 ? 'running' : 'pending',
          attempts: 1,
          leaseUntilMs: 1,
          published: n === 0,
        }),
      ),
    );
  });
}

async function newAgent(store: Store, workspaceId: string): Promise<string> {
  const agentId = uuidv7();
  const agent = emptyAgent({ id: agentId, workspaceId, name: 'agent', url: null, createdAt: NOW });
  await store.turns.create(agent, () => 10);
  return agentId;
}

/** A store with a workspace, and functions that count its contents. */
async function setUp(t: Test, engine: Engine) {
  const url = await emptyDatabase(t, engine);
  const options = { url, poolSize: 4, statementTimeoutMs: 15_000 };
  const [store, beside] = [openStore(options), openStore(options)];
  const connection = connect(options);
  t.teardown(() => Promise.all([store, beside, connection].map((each) => each.close())));
  await store.migrate();
  const workspaceId = uuidv7();
  await store.workspaces.create({
    id: workspaceId,
    name: 'w',
    plan: 'business',
    overrides: {},
    createdAt: 1,
  });
  const rowsOf = async (agentId: string) => {
    const tables = ['documents', 'document_contents', 'document_terms', 'uploads', 'jobs', 'tasks'];
    const counts = await Promise.all(
      tables.map((table) =>
        connection.read(`SELECT COUNT(*) AS n FROM ${table} WHERE agent_id = ?`, [agentId]),
      ),
    );
    return counts.reduce((sum, [row]) => sum + Number(row?.n), 0);
  };
  /** The charged size of the stored rows. */
  const bytesHeld = async () => {
    const [row] = await connection.read(
      'SELECT (SELECT COALESCE(SUM(bytes), 0) FROM documents) + (SELECT COALESCE(SUM(bytes), 0) FROM uploads) AS n',
      [],
    );
    return Number(row?.n);
  };
  const workspace = async () => {
    const found = await store.workspaces.find(workspaceId);
    if (!found) throw new Error('no workspace');
    return found;
  };
  return { store, beside, workspaceId, workspace, rowsOf, bytesHeld };
}

await onEachEngine(
  'a large agent disappears at once, and its storage is released in batches',
  async (t, engine) => {
    const { store, beside, workspaceId, workspace, rowsOf, bytesHeld } = await setUp(t, engine);
    const [big, kept] = [await newAgent(store, workspaceId), await newAgent(store, workspaceId)];
    await fill(store, big);
    await fill(store, kept);
    const keptRows = await rowsOf(kept);
    await store.turns.run(big, null, (turn) => turn.deleteAgent(NOW));

    t.equal(await store.reads.agent(workspaceId, big), null);
    await t.rejects(
      store.turns.run(big, null, async () => {}),
      { name: 'AgentGone' },
    );
    const { agents, storageBytes } = await workspace();
    t.equal(agents, 1, 'its place in the allowance is free');
    t.equal(storageBytes, (2 * (DOCUMENTS + 1) - 100) * BYTES, 'what is charged goes before its many tasks');
    t.same(await store.tasks.agentsWithStalledTasks(NOW * 1000, 10), [kept], 'nobody waits for its attempts');
    t.same(
      (await store.tasks.unpublished(NOW * 2000, 10)).filter(({ agentId }) => agentId === big),
      [],
    );
    t.same(await store.remains.list(NOW, 10), [{ agentId: big, workspaceId }]);
    t.ok((await rowsOf(big)) > DOCUMENTS, 'most of it is still there');

    let pieces = 0;
    for (let left = await store.remains.list(NOW, 1); left[0]; left = await store.remains.list(NOW, 1)) {
      t.equal((await workspace()).storageBytes, await bytesHeld(), 'charged is what is there');
      const before = await rowsOf(big);
      // Any process may delete the next batch, even two at once.
      await Promise.all([store.remains.clear(left[0], NOW), beside.remains.clear(left[0], NOW)]);
      t.ok(before - (await rowsOf(big)) <= 600, 'a piece is small');
      pieces += 1;
    }
    t.ok(pieces > 1);
    t.equal(await rowsOf(big), 0);
    t.equal(await rowsOf(kept), keptRows, 'nothing else is gone');
    t.equal((await workspace()).storageBytes, (DOCUMENTS + 1) * BYTES);
    t.equal(await bytesHeld(), (DOCUMENTS + 1) * BYTES);
    const discards = await store.uploads.discards(NOW + 1, null, 1000);
    t.same(
      discards.map(({ path }) => path).sort(),
      [-1, ...Array.from({ length: DOCUMENTS }, (_, n) => n)]
        .filter((n) => n === -1 || n % 2 === 0)
        .map((n) => file(big, n))
        .sort(),
      'each of its objects is to be deleted',
    );
    await store.remains.clear({ agentId: big, workspaceId }, NOW);
    t.equal((await workspace()).storageBytes, await bytesHeld(), 'once more does no harm');
  },
);

await onEachEngine('a running service deletes the remains by itself', async (t, engine) => {
  const { store, client } = await startTestService(t, { engine });
  const api = await client({ set: { 'limits.agents': 1 } });
  const { id } = await api.agent();
  await fill(store, id);
  t.equal((await api.delete(`/agents/${id}`)).status, 200);
  for (const path of ['', '/train', '/sources', '/jobs', '/jobs/1', '/settings/ai'])
    t.equal((await api.get(`/agents/${id}${path}`)).status, 404, `GET ${path}`);
  const { id: next } = await api.agent('takes its place at once');
  await until('all of it to be gone', async () => (await store.remains.list(0, 1)).length === 0);
  const [workspace] = await store.workspaces.list();
  t.match(workspace, { agents: 1, storageBytes: 0 });
  t.equal((await api.get(`/agents/${next}`)).status, 200);
});
