import t, { type Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { createAgentChanges } from '../../../adapters/sequelize/agent-changes.js';
import { createAgentTurns } from '../../../adapters/sequelize/agent-turns.js';
import { connect } from '../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../adapters/sequelize/connection.js';
import { createMigrator } from '../../../adapters/sequelize/migrate.js';
import { defineModels } from '../../../adapters/sequelize/models.js';
import { createTransact } from '../../../adapters/sequelize/transact.js';
import { createWorkspaces } from '../../../adapters/sequelize/workspaces.js';
import { emptyAgent } from '../../../core/actors/agent/empty-agent.js';
import type { AgentTurn } from '../../../core/ports/store/agent-turn.js';
import { AgentGone, OutcomeUnknown, StoreBusy } from '../../../core/ports/store/store-errors.js';
import { type Engine, emptyDatabase, onEachEngine } from '../../support/service.js';

type Alone = Connection['alone'];

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
  const road: { alone: Alone } = { alone: connection.alone };
  const there: Connection = { ...connection, alone: (sql, params) => road.alone(sql, params) };
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

await onEachEngine('a change whose connection is lost is made once', async (t, engine) => {
  const { road, alone, newAgent, change, byOthers, seen } = await agentsOn(t, engine);

  t.test('before it was written', async (t) => {
    const id = await newAgent();
    let sent = 0;
    road.alone = async (...statement) => {
      sent += 1;
      if (sent === 1) throw lost();
      return alone(...statement);
    };
    const { state } = await change(id, (turn) => turn.change({ name: 'renamed' }));
    t.same([state?.name, state?.version, sent], ['renamed', 2, 2]);
    t.match(await seen(id), { name: 'renamed', version: 2 });
  });

  t.test('after it was written', async (t) => {
    const id = await newAgent();
    let sent = 0;
    road.alone = async (...statement) => {
      sent += 1;
      await alone(...statement);
      throw lost();
    };
    const { state } = await change(id, (turn) => {
      turn.change({ name: 'renamed' });
      turn.changeSettings({ ai: { model: 'x' } });
    });
    t.same([state?.name, state?.version, sent], ['renamed', 2, 1]);
    t.match(await seen(id), { name: 'renamed', version: 2, settings: '{"ai":{"model":"x"}}' });
  });

  t.test('while it is still being written', async (t) => {
    const id = await newAgent();
    let late: () => unknown = () => {};
    let sent = 0;
    road.alone = async (...statement) => {
      sent += 1;
      if (sent === 1) {
        late = () => alone(...statement);
        throw lost();
      }
      await late();
      return alone(...statement);
    };
    const { state } = await change(id, (turn) => turn.change({ name: 'renamed' }));
    t.same([state?.name, state?.version, sent], ['renamed', 2, 2]);
    t.match(await seen(id), { name: 'renamed', version: 2 });
  });

  t.test('when another process was faster', async (t) => {
    const id = await newAgent();
    road.alone = async () => {
      await byOthers(id, (turn) => turn.change({ url: 'https://a.example/' }));
      throw lost();
    };
    await change(id, (turn) => turn.change({ name: 'renamed' }));
    t.match(await seen(id), { name: 'renamed', url: 'https://a.example/', version: 3 });
  });

  t.test('or fails, when others have written since', async (t) => {
    const id = await newAgent();
    road.alone = async (...statement) => {
      await alone(...statement);
      await byOthers(id, (turn) => turn.change({ name: 'theirs' }));
      throw lost();
    };
    await t.rejects(
      change(id, (turn) => turn.change({ name: 'renamed' })),
      OutcomeUnknown,
    );
    t.match(await seen(id), { name: 'theirs', version: 3 }, 'which stays');
  });

  t.test('or fails, when the database stays away', async (t) => {
    const id = await newAgent();
    road.alone = () => Promise.reject(lost());
    await t.rejects(
      change(id, (turn) => turn.change({ name: 'renamed' })),
      OutcomeUnknown,
    );
    t.match(await seen(id), { name: 'new', version: 1 });
  });
});

await onEachEngine('changes of many agents at once share statements, and nothing else', async (t, engine) => {
  if (engine === 'sqlite') return;
  const { road, alone, newAgent, change, byOthers, seen } = await agentsOn(t, engine);
  const ids = await Promise.all(Array.from({ length: 20 }, newAgent));
  let sent = 0;
  const rename = (name: string) =>
    Promise.allSettled(ids.map((id, n) => change(id, (turn) => turn.change({ name: `${name} ${n}` }))));
  const counted: Alone = (...statement) => {
    sent += 1;
    return alone(...statement);
  };
  /** Counted, once this has happened between reading and writing. */
  const after = (happens: () => Promise<unknown>): Alone => {
    let happened: Promise<unknown> | undefined;
    return async (...statement) => {
      happened ??= happens();
      await happened;
      return counted(...statement);
    };
  };

  road.alone = counted;
  t.ok((await rename('one')).every(({ status }) => status === 'fulfilled'));
  t.ok(sent <= 4, `${sent} statements for 20 changes`);
  for (const [n, id] of ids.entries()) t.match(await seen(id), { name: `one ${n}`, version: 2 });

  const [first = '', second = ''] = ids;
  road.alone = after(() => byOthers(first, (turn) => turn.change({ url: 'https://a.example/' })));
  t.ok(
    (await rename('two')).every(({ status }) => status === 'fulfilled'),
    'one was changed by others',
  );
  t.match(await seen(first), { name: 'two 0', url: 'https://a.example/', version: 4 });
  for (const [n, id] of ids.entries()) if (n > 0) t.match(await seen(id), { name: `two ${n}`, version: 3 });

  road.alone = after(() => byOthers(second, (turn) => turn.deleteAgent(1)));
  const outcomes = await rename('three');
  t.ok(outcomes[1]?.status === 'rejected' && outcomes[1].reason instanceof AgentGone, 'one was deleted');
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 19);
  t.match(await seen(first), { name: 'three 0', version: 5 });
  for (const [n, id] of ids.entries()) if (n > 1) t.match(await seen(id), { name: `three ${n}`, version: 4 });

  let cut = 0;
  road.alone = async (...statement) => {
    cut += 1;
    if (cut > 1) return counted(...statement);
    await alone(...statement);
    throw lost();
  };
  t.equal(
    (await rename('four')).filter(({ status }) => status === 'fulfilled').length,
    19,
    'one connection was lost',
  );
  for (const [n, id] of ids.entries()) if (n > 1) t.match(await seen(id), { name: `four ${n}`, version: 5 });
});

await onEachEngine('a change that the database refuses fails by itself', async (t, engine) => {
  const { newAgent, change, seen } = await agentsOn(t, engine);
  const ids = await Promise.all(Array.from({ length: 8 }, newAgent));
  const bad = 3;
  const outcomes = await Promise.allSettled(
    ids.map((id, n) =>
      change(id, (turn) => turn.change({ name: n === bad ? (null as never) : `name ${n}` })),
    ),
  );
  t.same(
    outcomes.flatMap(({ status }, n) => (status === 'rejected' ? n : [])),
    [bad],
  );
  for (const [n, id] of ids.entries())
    t.match(await seen(id), n === bad ? { name: 'new', version: 1 } : { name: `name ${n}`, version: 2 });
});

await t.test('changes that find no seat in time do not wait for another one', async (t) => {
  let lines = 0;
  const change = createAgentChanges(
    { dialect: 'mysql', readRow: async (_, id) => ({ id, version: 1 }) },
    {
      async alone() {
        lines += 1;
        throw new StoreBusy(new Error('no connection for writing was free'));
      },
    },
  );
  const changes = ['a', 'b', 'c'].map((id) =>
    change({ row: { id, workspace_id: 'w', version: 1 }, values: { version: 2, name: 'renamed' } }),
  );
  for (const outcome of await Promise.allSettled(changes))
    t.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreBusy);
  t.equal(lines, 1);
});
