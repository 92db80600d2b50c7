import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { statementsIn } from '../../../../adapters/sequelize/database/statements.js';
import { createTransact } from '../../../../adapters/sequelize/database/transact.js';
import { createEvaluations } from '../../../../adapters/sequelize/evaluations/evaluations.js';
import { insertEvaluation } from '../../../../adapters/sequelize/rows/new-evaluation.js';
import { createTables } from '../../../support/migrated-database.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';

const NOW_MS = 1_800_000_000_000;
const lease = { leaseUntilMs: NOW_MS + 15_000, limit: 2 };

async function queue(t: Test, engine: 'sqlite' | 'mysql') {
  const url = await emptyDatabase(t, engine);
  await createTables(url);
  const connection = connect({ url, poolSize: 4, statementTimeoutMs: 15_000 });
  const transact = createTransact(connection);
  t.teardown(() => connection.close());
  return {
    store: createEvaluations(connection, transact),
    /** Stores a pending evaluation without questions, and returns its id. */
    async add(workspaceId: string, agentId: string, dueAtMs: number): Promise<string> {
      const id = uuidv7();
      await transact.rawTransaction(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        await insertEvaluation(
          statements,
          {
            ...{ id, agentId, workspaceId, dueAtMs, name: null, origin: 'training', status: 'pending' },
            ...{
              questions: 0,
              createdAt: 0,
              startedAt: null,
              endedAt: null,
              leaseToken: null,
              settings: null,
            },
          } as never,
          [],
        );
        statements.end();
      }, workspaceId);
      return id;
    },
  };
}

await onEachEngine('a workspace with many evaluations leaves others their turn', async (t, engine) => {
  const { store, add } = await queue(t, engine);
  const [busy, quiet] = [uuidv7(), uuidv7()];
  for (let n = 0; n < 60; n += 1) await add(busy, uuidv7(), NOW_MS - 1000 + n);
  const other = await add(quiet, uuidv7(), NOW_MS);
  const claims = await store.claim(NOW_MS, lease);
  t.equal(claims.length, 2, 'one of each workspace');
  t.ok(claims.some(({ evaluation: { id } }) => id === other));
  t.strictSame(await store.claim(NOW_MS, lease), [], 'both workspaces are at work');
});

await onEachEngine('evaluations of an agent take place one after the other', async (t, engine) => {
  const { store, add } = await queue(t, engine);
  const [workspaceId, agentId] = [uuidv7(), uuidv7()];
  const ids = [await add(workspaceId, agentId, NOW_MS - 2), await add(workspaceId, agentId, NOW_MS - 1)];
  const claimed = async (nowMs: number) => (await store.claim(nowMs, lease))[0];
  const first = await claimed(NOW_MS);
  t.equal(first?.evaluation.id, ids[0]);
  if (!first) return;
  await store.putOff(first, NOW_MS);
  const again = await claimed(NOW_MS);
  t.equal(again?.evaluation.id, ids[0], 'it continues before the second begins');
  await store.cancel(agentId, first.evaluation.id, 0);
  t.equal((await claimed(NOW_MS))?.evaluation.id, ids[1]);
});
