import { createAgentReads } from '../../../adapters/sequelize/agents/agent-reads.js';
import { createAgentTurns } from '../../../adapters/sequelize/agents/agent-turns.js';
import { createRemains } from '../../../adapters/sequelize/agents/remains.js';
import { createAuditLog } from '../../../adapters/sequelize/audit/audit-log.js';
import { connect } from '../../../adapters/sequelize/connect.js';
import { createTransact } from '../../../adapters/sequelize/database/transact.js';
import { createOperations } from '../../../adapters/sequelize/jobs/operations.js';
import { createStoredTimes } from '../../../adapters/sequelize/jobs/stored-times.js';
import { createTaskSweeps, createUploadSweeps } from '../../../adapters/sequelize/jobs/sweeps.js';
import { createKnowledgeReads } from '../../../adapters/sequelize/knowledge/knowledge-reads.js';
import { createMigrator } from '../../../adapters/sequelize/migrations/migrate.js';
import { defineModels } from '../../../adapters/sequelize/tables/models.js';
import { createWorkspaces } from '../../../adapters/sequelize/workspaces/workspaces.js';
import type { StoredTime } from '../../../core/ports/store/stored-times.js';
import { emptyMysql, mysqlMissing } from '../../support/mysql.js';
import t from '../../support/t.js';
import { fill, sample } from './filled-tables.js';
import { planOf, slowSteps } from './plan.js';
import { allIndexed, recorded, type Statement } from './statements.js';

t.test('on MariaDB or MySQL', { skip: await mysqlMissing() }, async (t) => {
  const { url, connection: administrator } = await emptyMysql(t);
  const real = connect({ url, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => real.close());
  await createMigrator(real).up();
  await fill(administrator);

  const statements: Statement[] = [];
  const connection = recorded(real, statements);
  const models = defineModels(connection.sequelize);
  const transact = createTransact(connection);
  const reads = createAgentReads(connection);
  const knowledge = createKnowledgeReads(connection);
  const turns = createAgentTurns(connection, models, transact);
  const tasks = createTaskSweeps(connection, models, transact);
  const uploads = createUploadSweeps(connection, models, transact);
  const remains = createRemains(connection, transact);
  const workspaces = createWorkspaces(connection, models, transact);
  const operations = createOperations(connection);
  const audit = createAuditLog(connection, transact);
  const everything = { actor: null, action: null, agentId: null, from: null, to: null };
  const { agentId, deletedId, workspaceId, documentId, jobId, taskId, path, keyHash, nowMs } = sample;
  const first = { limit: 20, before: null };
  const later = { limit: 20, before: documentId };

  const hot: Record<string, () => Promise<unknown>> = {
    'an agent': () => reads.agent(workspaceId, agentId),
    'an agent with its settings': () => reads.agentWithSettings(workspaceId, agentId),
    'the training of an agent': () => reads.training(workspaceId, agentId),
    'the last failed job of an agent': () => reads.lastFailedJob(agentId),
    'the first page of agents': () => reads.agents(workspaceId, first),
    'a later page of agents': () => reads.agents(workspaceId, { limit: 20, before: agentId }),
    'a document': () => reads.document(agentId, documentId),
    'the first page of sources': () => reads.sources(workspaceId, agentId, first, null),
    'a later page of sources': () => reads.sources(workspaceId, agentId, later, null),
    'sources of one type': () => reads.sources(workspaceId, agentId, first, 'web_crawl'),
    'a later page of sources of one type': () => reads.sources(workspaceId, agentId, later, 'web_crawl'),
    'the content of a document': () => reads.content(agentId, documentId),
    'a part of the content of a document': () => reads.contentPart(agentId, documentId, 0, 1),
    'how long the content of a document is': () => reads.contentBytes(agentId, documentId),
    'excerpts of documents': () =>
      reads.excerpts(agentId, [
        { documentId, first: 0, last: 0 },
        { documentId, first: 1, last: 2 },
      ]),
    'how far an agent’s knowledge has come': () => reads.knowledge(agentId),
    'how far the knowledge of the next agents has come': () => knowledge.states(agentId, 100),
    'documents behind a knowledge version': () => knowledge.changed(agentId, 1, 1000, 100),
    'a document as search engines are told it': () => knowledge.document(agentId, documentId),
    'the documents of an agent that can be found': () => knowledge.documentIds(agentId),
    'a job with its tasks': () => reads.job(agentId, jobId),
    'the progress of a job': () => reads.jobProgress(agentId, jobId),
    'the first page of tasks': () => reads.tasks(jobId, null, { limit: 20, after: null }),
    'a later page of tasks': () => reads.tasks(jobId, null, { limit: 20, after: taskId }),
    'tasks in two states': () => reads.tasks(jobId, ['pending', 'queued'], { limit: 20, after: null }),
    'a later page of failed tasks': () => reads.tasks(jobId, ['failed'], { limit: 20, after: taskId }),
    'jobs that lack tasks': () => tasks.jobsToOpen(10),
    'the first page of jobs': () => reads.jobs(agentId, first),
    'a later page of jobs': () => reads.jobs(agentId, { limit: 20, before: String(jobId) }),
    'jobs in one state': () => reads.jobs(agentId, first, { status: 'failed' }),
    'how many jobs are in one state': () => reads.countJobs(agentId, { status: 'failed' }),
    'jobs of one type in one state': () => reads.jobs(agentId, first, { type: 'retrain', status: 'failed' }),
    'how many jobs are of one type': () => reads.countJobs(agentId, { type: 'retrain' }),
    'jobs that have not ended': () => reads.openJobs([jobId, jobId + 1]),
    'agents in training': () => reads.agentsInTraining([agentId, deletedId]),
    'jobs of one type': () => reads.jobs(agentId, first, { type: 'retrain' }),
    'a later page of jobs of one type': () =>
      reads.jobs(agentId, { limit: 20, before: String(jobId) }, { type: 'retrain' }),
    'an upload': () => reads.upload(agentId, path),
    'the workspace of a key': () => workspaces.findByKeyHash(keyHash),
    'a workspace': () => workspaces.find(workspaceId),
    'the keys of a workspace': () => workspaces.keys(workspaceId),
    'agents in line': () => tasks.agentsInLine(nowMs, [], 100),
    'agents in line, but for some': () => tasks.agentsInLine(nowMs, [workspaceId, 'w'], 100),
    'tasks under way': () => tasks.underWay(),
    'agents with stalled tasks': () => tasks.agentsWithStalledTasks(nowMs, 100),
    'the outbox': () => tasks.unpublished(nowMs, 100),
    'tasks that the queue should hold': () => tasks.published(),
    'messages that the queue lost': () => tasks.untaken(nowMs, 100),
    'more messages that the queue lost': () => tasks.untaken(nowMs, 100, { dueAtMs: 0, id: taskId }),
    'agents to retrain': () => tasks.agentsToRetrain(nowMs / 1000, nowMs / 1000, 100),
    'abandoned uploads': () => uploads.abandon(0, 100),
    'agents that have left something': () => remains.list(nowMs / 1000, 10),
    'the audit log': () => audit.page(workspaceId, later, everything),
    'the audit log of a person': () =>
      audit.page(workspaceId, first, { ...everything, actor: sample.actorId }),
    'the audit log of an operation': () =>
      audit.page(workspaceId, first, { ...everything, action: 'updateAgent' }),
    'the audit log of an agent': () => audit.page(workspaceId, first, { ...everything, agentId }),
    'the audit log of a time': () =>
      audit.page(workspaceId, later, { ...everything, from: 1_700_000_000, to: nowMs / 1000 }),
    'the length of the audit log': () => audit.count(workspaceId, everything),
    'the length of the audit log of an agent': () =>
      audit.count(workspaceId, { ...everything, agentId, actor: sample.actorId, action: 'updateAgent' }),
    discards: () => uploads.discards(nowMs / 1000, null, 100),
    'more discards': () => uploads.discards(nowMs / 1000, { path, discardedAt: nowMs / 1000 - 50 }, 100),
    'jobs and tasks by status': () => operations.backlog(),
    'jobs in one status, for operators': () => operations.jobs({ status: 'running' }, first),
    'jobs of an agent, for operators': () => operations.jobs({ agentId, status: 'running' }, first),
    'jobs of a workspace, for operators': () => operations.jobs({ workspaceId }, first),
    'the newest jobs of all, for operators': () => operations.jobs({}, first),
    'what a turn reads': () =>
      turns.run(agentId, null, async (turn) => {
        await turn.workspace();
        await turn.settings();
        await turn.documents.find(documentId);
        await turn.documents.findByUrl('https://docs.acme.com/7');
        await turn.documents.findByContent('text_snippet', 'hash of a content');
        await turn.documents.pages(null, 100);
        await turn.documents.pages(documentId, 100);
        await turn.jobs.job(jobId);
        await turn.jobs.task(taskId);
        await turn.jobs.underWay();
        await turn.jobs.retraining();
        await turn.jobs.openTasks(jobId, 100);
        await turn.jobs.failedTasks(jobId, taskId, 100);
        await turn.jobs.cancelTasks([taskId]);
        await turn.jobs.waiting(8);
        await turn.jobs.stalled(nowMs);
        await turn.uploads.find(path);
      }),
    'what the deletion of an agent reads': () =>
      turns.run(deletedId, null, (turn) => turn.deleteAgent(nowMs)),
  };

  await allIndexed(t, { real, statements, hot });

  await t.test('stored times that lie ahead', async (t) => {
    statements.length = 0;
    const never = new Proxy({} as Record<StoredTime, number>, { get: () => 2 * nowMs });
    await createStoredTimes(connection, transact).bound(never, 500);
    // At most a few rows per agent, workspace or waiting request.
    const small =
      /^(channel_connections|channel_profiles|agent_secrets|mail_senders|webhooks|conversation_seats): ALL/;
    for (const { sql, params } of statements) {
      const slow = slowSteps(await planOf(real.read, sql, params), sql);
      t.strictSame(
        slow.filter((step) => !small.test(step)),
        [],
        sql,
      );
    }
  });

  await t.test('distinguishes a statement without an index from one with an index', async (t) => {
    const bad = 'SELECT * FROM documents WHERE title = ? ORDER BY bytes';
    t.match(slowSteps(await planOf(real.read, bad, ['x']), bad).join(), /documents.*ALL/);
    const sorted = 'SELECT * FROM documents WHERE agent_id = ? ORDER BY bytes';
    t.match(slowSteps(await planOf(real.read, sorted, [agentId]), sorted).join(), /filesort/);
  });
});
