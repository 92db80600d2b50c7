import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { createAgentTurns } from '../../../adapters/sequelize/agent-turns.js';
import { connect } from '../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../adapters/sequelize/connection.js';
import { createMigrator } from '../../../adapters/sequelize/migrate.js';
import { defineModels } from '../../../adapters/sequelize/models.js';
import { createTransact } from '../../../adapters/sequelize/transact.js';
import { createWorkspaces } from '../../../adapters/sequelize/workspaces.js';
import { emptyAgent } from '../../../core/actors/agent/empty-agent.js';
import type { AgentTurn } from '../../../core/ports/store/agent-turn.js';
import { AgentGone, StoreUnavailable } from '../../../core/ports/store/store-errors.js';
import { type Engine, emptyDatabase, onEachEngine } from '../../support/service.js';

/** Agents whose changes go through `road.alone`, and a second way past it, as another process has. */
async function agentsOn(t: Test, engine: Engine) {
  const connection = connect({
    url: await emptyDatabase(t, engine),
    poolSize: 4,
    statementTimeoutMs: 15_000,
  });
  t.teardown(() => connection.close());
  await createMigrator(connection).up();
  const models = defineModels(connection.sequelize);
  const road: Pick<Connection, 'alone' | 'readRow'> = { ...connection };
  const there: Connection = {
    ...connection,
    alone: (sql, params) => road.alone(sql, params),
    readRow: (sql, id) => road.readRow(sql, id),
  };
  const transact = createTransact(there);
  const turns = createAgentTurns(there, models, transact);
  const others = createAgentTurns(connection, models, createTransact(connection));
  const workspaceId = uuidv7();
  const workspace = { id: workspaceId, name: 'test', plan: 'business', overrides: {}, createdAt: 1 };
  await createWorkspaces(connection, models, transact).create(workspace);
  return {
    road,
    alone: connection.alone,
    async newAgent(): Promise<string> {
      const id = uuidv7();
      await turns.create(emptyAgent({ id, workspaceId, name: 'new', url: null, createdAt: 1 }), () => 1000);
      return id;
    },
    change: (id: string, work: (turn: AgentTurn) => unknown) =>
      turns.run(id, null, async (turn) => void work(turn), { asksForSettings: true, rowOnly: true }),
    byOthers: (id: string, work: (turn: AgentTurn) => unknown) =>
      others.run(id, null, async (turn) => void (await work(turn))),
    async seen(id: string) {
      const [row] = await connection.read('SELECT name, url, version, settings FROM agents WHERE id = ?', [
        id,
      ]);
      return row && { ...row, version: Number(row.version) };
    },
  };
}

const lost = () => Object.assign(new Error('the connection went away'), { code: 'PROTOCOL_CONNECTION_LOST' });

await onEachEngine(
  'a change of a row is made although its connection is lost or its row has changed',
  async (t, engine) => {
    const { road, alone, newAgent, change, byOthers, seen } = await agentsOn(t, engine);

    t.test('before it was written', async (t) => {
      const id = await newAgent();
      road.alone = () => Promise.reject(lost());
      const { state } = await change(id, (turn) => turn.change({ name: 'renamed' }));
      t.same([state?.name, state?.version], ['renamed', 2]);
      t.match(await seen(id), { name: 'renamed', version: 2 });
    });

    t.test('after it was written', async (t) => {
      const id = await newAgent();
      road.alone = async (...statement) => {
        await alone(...statement);
        throw lost();
      };
      await change(id, (turn) => {
        turn.change({ name: 'renamed' });
        turn.changeSettings({ ai: { model: 'x' } });
      });
      t.match(await seen(id), { name: 'renamed', settings: '{"ai":{"model":"x"}}' });
    });

    t.test('while the connections for reading are away', async (t) => {
    const id = await newAgent();
    const { readRow } = road;
    road.readRow = () => Promise.reject(new StoreUnavailable('no connection for reading'));
    await change(id, (turn) => turn.change({ name: 'renamed' }));
    road.readRow = readRow;
    t.match(await seen(id), { name: 'renamed' });
  });

  t.test('when another process was faster', async (t) => {
      const id = await newAgent();
      road.alone = async (...statement) => {
        await byOthers(id, (turn) => turn.change({ url: 'https://a.example/' }));
        return alone(...statement);
      };
      await change(id, (turn) => turn.change({ name: 'renamed' }));
      t.match(await seen(id), { name: 'renamed', url: 'https://a.example/', version: 3 });
    });

    t.test('or finds that another process has deleted its agent', async (t) => {
      const id = await newAgent();
      road.alone = async (...statement) => {
        await byOthers(id, (turn) => turn.deleteAgent(1));
        return alone(...statement);
      };
      await t.rejects(
        change(id, (turn) => turn.change({ name: 'renamed' })),
        AgentGone,
      );
    });
  },
);

await onEachEngine('a change that the database refuses fails, and changes nothing', async (t, engine) => {
  const { newAgent, change, seen } = await agentsOn(t, engine);
  const id = await newAgent();
  await t.rejects(change(id, (turn) => turn.change({ name: null as never })));
  t.match(await seen(id), { name: 'new', version: 1 });
});
