import { v7 as uuidv7 } from 'uuid';
import { createAgentTurns } from '../../../adapters/sequelize/agent-turns.js';
import { connect } from '../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../adapters/sequelize/connection.js';
import { createMigrator } from '../../../adapters/sequelize/migrate.js';
import { defineModels } from '../../../adapters/sequelize/models.js';
import { createTransact } from '../../../adapters/sequelize/transact.js';
import { createWorkspaces } from '../../../adapters/sequelize/workspaces.js';
import { createAgents } from '../../../core/actors/agent/agents.js';
import { emptyAgent } from '../../../core/actors/agent/empty-agent.js';
import { createDirectory } from '../../../core/actors/directory.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { AgentTurn } from '../../../core/ports/store/agent-turn.js';
import type { AgentState } from '../../../core/ports/store/rows.js';
import { StoreUnavailable } from '../../../core/ports/store/store-errors.js';
import type { TaskMessage } from '../../../core/tasks/wire.js';
import { said } from '../../support/agents.js';
import { emptyDatabase, onEachEngine } from '../../support/service.js';

/** What kind of statement it is, and of which table. */
const brief = (sql: string): string =>
  /^(SELECT) .*? FROM (\w+)|^(INSERT) INTO (\w+)|^(UPDATE) (\w+)|^(DELETE) FROM (\w+)/s
    .exec(sql)
    ?.slice(1)
    .filter(Boolean)
    .join(' ')
    .toLowerCase() ?? sql.split(' ', 1).join().replace(';', '').toLowerCase();

/** The connection, with all that a turn says over it written down: one line for what is said together; `texts` are the statements word for word. */
function overheard(real: Connection, said: string[], texts: string[]): Connection {
  const { options } = real.sequelize as unknown as { options: { logging: (line: string) => void } };
  options.logging = (line) => void said.push(brief(line.replace(/^Executing \([^)]*\): /, '')));
  return {
    ...real,
    readRow: (sql, id) => {
      said.push(brief(sql));
      return real.readRow(sql, id);
    },
    alone: (sql, params) => {
      said.push(brief(sql));
      return real.alone(sql, params);
    },
    async transaction(work) {
      said.push('begin');
      const result = await real.transaction(work);
      said.push('commit');
      return result;
    },
    within: (transaction, statements) => {
      said.push(statements.map(({ sql }) => brief(sql)).join(', '));
      texts.push(...statements.map(({ sql }) => sql));
      return real.within(transaction, statements);
    },
  };
}

const limits = { agents: 10, storageBytes: 1_000_000 };

await onEachEngine(
  'a turn says what it has to say in few messages, however much it has to do',
  async (t, engine) => {
    const url = await emptyDatabase(t, engine);
    const statements: string[] = [];
    const texts: string[] = [];
    const real = connect({ url, poolSize: 4, statementTimeoutMs: 15_000 });
    t.teardown(() => real.close());
    await createMigrator(real).up();
    const connection = overheard(real, statements, texts);
    const models = defineModels(connection.sequelize);
    const transact = createTransact(connection);
    const turns = createAgentTurns(connection, models, transact);
    const workspaceId = uuidv7();
    const agentId = uuidv7();
    const workspace = { id: workspaceId, name: 'test', plan: 'business', overrides: {}, createdAt: 1 };
    await createWorkspaces(connection, models, transact).create(workspace);
    await turns.create(
      emptyAgent({ id: agentId, workspaceId, name: 'a', url: null, createdAt: 1 }),
      () => 10,
    );

    const sent: TaskMessage[] = [];
    const agentsWith = (windowOfAll: number) =>
      createAgents({
        directory: createDirectory<AgentState>({
          maxActive: 10,
          idleMs: 1000,
          mailboxCapacity: 1000,
          clock: { now: () => 1_800_000_000_000 },
        }),
        turns,
        rules: {
          clock: { now: () => 1_800_000_000_000 },
          entitlementsOf: () => ({
            limits,
            features: { apiAccess: true, autoRetrain: true, videoTranscription: true, removeBranding: true },
            models: '*',
          }),
          window: 8,
          windowOfAll,
          maxAttempts: 3,
          backoff: { baseMs: 1000, maxMs: 10_000 },
          leaseMs: 15_000,
          openUploadBytes: 100_000,
          random: () => 1,
        },
        dispatch: (messages) => sent.push(...messages),
        log: silentLog,
      });
    const agents = agentsWith(64);
    /** The statements of one turn in which all these are taken. */
    const saidFor = async (
      messages: Parameters<typeof agents.ask>[1][],
      by: typeof agents = agents,
    ): Promise<string[]> => {
      statements.length = 0;
      texts.length = 0;
      await Promise.all(messages.map((message) => by.ask(agentId, message)));
      return [...statements];
    };

    const pages = Array.from({ length: 24 }, (_, n) => ({
      kind: 'indexUrl' as const,
      url: `https://a.example/${n}`,
      requestId: 'r',
    }));
    t.same(
      await saidFor(pages),
      [
        'begin',
        // Nothing is remembered of the agent yet.
        'select agents',
        // A job gets its number at once. Whether another task is about to fetch these pages, room, what waits, whether the pages are there, and
        // whether there is storage for them.
        [
          ...pages.map(() => 'insert jobs'),
          'select tasks, select tasks, select tasks, select documents, select workspaces',
        ].join(', '),
        'insert tasks, update agents',
        'commit',
      ],
      '24 pages are submitted in four messages to the server',
    );
    const first = sent.splice(0);
    t.equal(first.length, 8);

    t.same(
      await saidFor(first.map((message) => said.started(message))),
      ['begin', 'select agents, select tasks, select jobs', 'update tasks, update jobs', 'commit'],
      'eight start',
    );

    const made = await saidFor(first.map((task) => said.succeeded(task, `text of ${task.taskId}`)));
    t.same(
      made,
      [
        'begin',
        // The tasks with what follows them, room, and what waits.
        'select agents, select tasks, select jobs, select tasks, select tasks, select documents, select workspaces',
        // Whose jobs that is.
        'select jobs',
        [
          // Those that ended, and those that take their places.
          ...['update tasks', 'update tasks', 'update jobs'],
          ...['insert documents', 'insert document_contents', 'insert document_terms'],
          // Who is to be told that jobs have ended.
          'select webhooks',
          ...['update agents', 'update workspaces'],
        ].join(', '),
        'commit',
      ],
      'eight new pages, in four messages to the server',
    );

    const second = sent.splice(0);
    t.equal(second.length, 8, 'the next eight go out in the same turn');
    const both = second.flatMap((task) => [said.started(task), said.succeeded(task, 'the same text')]);
    t.same(await saidFor(both), made, 'their start costs nothing where their end is known');

    await saidFor(sent.splice(0).map((task) => said.succeeded(task, 'the same text')));
    await saidFor([{ kind: 'retrain', requestId: 'r' }]);
    await saidFor(sent.splice(0).map(said.unchanged));
    const readWaiting = () => texts.filter((sql) => sql.includes('ORDER BY due_at_ms'));
    t.match(
      readWaiting(),
      [/LIMIT 9$/],
      'of those that wait, it reads as many as have made room, and the next',
    );
    const [ended = ''] = texts.filter((sql) => sql.startsWith('UPDATE tasks'));
    t.notMatch(ended, 'CASE', 'pages that are as before end by one and the same change');
    const out = sent.splice(0);
    t.equal(out.length, 8);

    const crowded = agentsWith(12);
    await saidFor(out.splice(0, 4).map(said.unchanged), crowded);
    t.equal(sent.length, 0, 'the window of all is full');
    await saidFor(out.splice(0, 1).map(said.unchanged), crowded);
    t.equal(sent.splice(0).length, 1);
    t.match(readWaiting(), [/LIMIT 2$/], 'where the window of all is what limits, they are read once, too');

    const renames = Array.from({ length: 64 }, (_, n) => ({
      kind: 'update' as const,
      patch: { name: `name ${n}` },
    }));
    t.same(await saidFor(renames), ['select agents', 'update agents'], '64 changes of one agent');
    const [row] = await real.read('SELECT name FROM agents WHERE id = ?', [agentId]);
    t.match(row, { name: 'name 63' });

    const blind: Connection = {
      ...connection,
      readRow: () => Promise.reject(new StoreUnavailable('no connection for reading')),
    };
    const rowOnly = { asksForSettings: false, rowOnly: true };
    const rename = async (turn: AgentTurn) => turn.change({ name: 'renamed' });
    const { state } = await createAgentTurns(blind, models, transact).run(agentId, null, rename, rowOnly);
    t.equal(state?.name, 'renamed', 'where the row cannot be read by itself, the whole turn is taken');

    if (engine === 'mysql') return;
    let lookup = '';
    const heard: Connection = {
      ...real,
      within: (transaction, said) => {
        for (const { sql } of said) if (sql.includes('content_hash = ?')) lookup = sql;
        return real.within(transaction, said);
      },
    };
    await createAgentTurns(heard, models, transact).run(agentId, null, (turn) =>
      turn.documents.findByContent('text_snippet', 'hash of a content'),
    );
    const plan = await real.read(`EXPLAIN QUERY PLAN ${lookup}`, ['a', 'b', 'c']);
    t.match(plan.map(({ detail }) => detail).join(), /USING INDEX documents_content/, 'by its own index');
  },
);
