import t from 'tap';
import { createAgentReads } from '../../../adapters/sequelize/agent-reads.js';
import { createAgentTurns } from '../../../adapters/sequelize/agent-turns.js';
import { type Connection, connect } from '../../../adapters/sequelize/connect.js';
import { createMigrator } from '../../../adapters/sequelize/migrate.js';
import { defineModels } from '../../../adapters/sequelize/models.js';
import { createOperations } from '../../../adapters/sequelize/operations.js';
import { createTaskSweeps, createUploadSweeps } from '../../../adapters/sequelize/sweeps.js';
import { createTransact } from '../../../adapters/sequelize/transact.js';
import { createWorkspaces } from '../../../adapters/sequelize/workspaces.js';
import { fill, sample } from './filled-tables.js';
import { emptyDatabase, mysqlMissing } from './mysql-database.js';
import { planOf, slowSteps } from './plan.js';

interface Statement {
  sql: string;
  params: unknown[];
}

/** The connection, with every statement that goes over it written down. */
function recorded(real: Connection, statements: Statement[]): Connection {
  const { options } = real.sequelize as unknown as { options: { logging: (line: string) => void } };
  options.logging = (line) => {
    const sql = line.replace(/^Executing \([^)]*\): /, '');
    if (sql.startsWith('SELECT')) statements.push({ sql, params: [] });
  };
  return {
    ...real,
    read: (sql, params) => {
      statements.push({ sql, params });
      return real.read(sql, params);
    },
  };
}

t.test('on MariaDB or MySQL', { skip: await mysqlMissing() }, async (t) => {
  const { url, connection: administrator } = await emptyDatabase(t);
  const real = connect({ url, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => real.close());
  await createMigrator(real).up();
  await fill(administrator);

  const statements: Statement[] = [];
  const connection = recorded(real, statements);
  const models = defineModels(connection.sequelize);
  const transact = createTransact(connection);
  const reads = createAgentReads(connection);
  const turns = createAgentTurns(connection, models, transact);
  const tasks = createTaskSweeps(connection, models, transact);
  const uploads = createUploadSweeps(connection, models, transact);
  const workspaces = createWorkspaces(connection, models, transact);
  const operations = createOperations(connection);
  const { agentId, workspaceId, documentId, jobId, taskId, path, keyHash, nowMs } = sample;
  const first = { limit: 20, before: null };
  const later = { limit: 20, before: documentId };

  const hot: Record<string, () => Promise<unknown>> = {
    'an agent': () => reads.agent(workspaceId, agentId),
    'the first page of agents': () => reads.agents(workspaceId, first),
    'a later page of agents': () => reads.agents(workspaceId, { limit: 20, before: agentId }),
    'a document': () => reads.document(agentId, documentId),
    'the first page of sources': () => reads.documents(agentId, first, null),
    'a later page of sources': () => reads.documents(agentId, later, null),
    'sources of one type': () => reads.documents(agentId, first, 'web_crawl'),
    'a later page of sources of one type': () => reads.documents(agentId, later, 'web_crawl'),
    'the content of a document': () => reads.content(agentId, documentId),
    'a job with its tasks': () => reads.job(agentId, jobId),
    'the first page of jobs': () => reads.jobs(agentId, first),
    'a later page of jobs': () => reads.jobs(agentId, { limit: 20, before: String(jobId) }),
    'the active job': () => reads.activeJob(agentId),
    'an upload': () => reads.upload(agentId, path),
    'the workspace of a key': () => workspaces.findByKeyHash(keyHash),
    'a workspace': () => workspaces.find(workspaceId),
    'the keys of a workspace': () => workspaces.keys(workspaceId),
    'agents with due tasks': () => tasks.agentsWithDueTasks(nowMs, 100),
    'agents with stalled tasks': () => tasks.agentsWithStalledTasks(nowMs, 100),
    'the outbox': () => tasks.unpublished(nowMs, 100),
    'messages that the queue lost': () => tasks.untaken(nowMs, 100),
    'agents to retrain': () => tasks.agentsToRetrain(nowMs / 1000, 100),
    'abandoned uploads': () => uploads.abandon(0, 100),
    discards: () => uploads.discards(nowMs / 1000, null, 100),
    'more discards': () => uploads.discards(nowMs / 1000, { path, discardedAt: nowMs / 1000 - 50 }, 100),
    'jobs and tasks by status': () => operations.counts(),
    'jobs in one status, for operators': () => operations.jobs({ status: 'running' }, first),
    'jobs of an agent, for operators': () => operations.jobs({ agentId, status: 'running' }, first),
    'jobs of a workspace, for operators': () => operations.jobs({ workspaceId }, first),
    'the newest jobs of all, for operators': () => operations.jobs({}, first),
    'what a turn reads': () =>
      turns.run(agentId, null, async (turn) => {
        await turn.workspace();
        await turn.documents.find(documentId);
        await turn.documents.findByUrl('https://docs.acme.com/7');
        await turn.documents.pages();
        await turn.jobs.job(jobId);
        await turn.jobs.task(taskId);
        await turn.jobs.outstanding();
        await turn.jobs.retraining();
        await turn.jobs.waiting(8);
        await turn.jobs.stalled(nowMs);
        await turn.uploads.find(path);
      }),
  };

  for (const [name, run] of Object.entries(hot)) {
    await t.test(`${name}: an index finds it, and nothing is sorted`, async (t) => {
      statements.length = 0;
      await run();
      t.ok(statements.length > 0, 'it was read from the database');
      for (const { sql, params } of statements) {
        const plan = await planOf(real.read, sql, params);
        t.strictSame(slowSteps(plan, sql), [], sql);
      }
    });
  }

  await t.test('a statement without an index is told from one with', async (t) => {
    const bad = 'SELECT * FROM documents WHERE title = ? ORDER BY bytes';
    t.match(slowSteps(await planOf(real.read, bad, ['x']), bad).join(), /documents.*ALL/);
    const sorted = 'SELECT * FROM documents WHERE agent_id = ? ORDER BY bytes';
    t.match(slowSteps(await planOf(real.read, sorted, [agentId]), sorted).join(), /filesort/);
  });
});
