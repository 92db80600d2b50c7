import { connect } from 'amqplib';
import type { Test } from 'tap';
import { queueNames } from '../../adapters/rabbitmq/topology.js';
import { textOf } from '../deploy/deployment.js';
import type { Agent, List } from '../support/api-client.js';
import type { Client, Job } from '../support/flows.js';
import { amqpUrl } from '../support/rabbitmq.js';
import t from '../support/t.js';
import { until } from '../support/until.js';
import { type Installation, siteOrigin, startInstallation } from './installation.js';
import { servicesMissing } from './services.js';

const DEADLINE_MS = 90_000;
const PAGES = 60;

interface Source {
  id: string;
  title: string;
  sourceMetadata: unknown;
}

// Generous for busy machines: four processes start and work.
/** An agent with sixty pages. */
async function agentWithPages([a, b]: [Client, Client]): Promise<Agent> {
  const agent = await a.call<Agent>('POST', '/agents', { name: 'survivor' });
  await Promise.all(
    Array.from({ length: PAGES }, (_, n) =>
      (n % 2 ? a : b).call('POST', `/agents/${agent.id}/sources/url`, { url: `${siteOrigin}/page-${n}` }),
    ),
  );
  const known = () => b.call<List<Source>>('GET', `/agents/${agent.id}/sources?limit=1`);
  await until('all pages', async () => (await known()).pagination.total === PAGES, DEADLINE_MS);
  return agent;
}

/** Resolves when the job is in progress and far from its end. */
const inTheMiddle = (api: Client, agentId: string, jobId: string): Promise<unknown> =>
  until(
    'the middle of the job',
    async () =>
      (await api.call<Job>('GET', `/agents/${agentId}/jobs/${jobId}`)).tasksCompletedCount >= PAGES / 6,
    DEADLINE_MS,
  );

/** Purges a queue once it has messages; returns their number. */
async function loseMessages(queue: string): Promise<number> {
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  await until(
    'a message that waits',
    async () => (await channel.checkQueue(queue)).messageCount > 0,
    DEADLINE_MS,
  );
  const { messageCount } = await channel.purgeQueue(queue);
  await connection.close();
  return messageCount;
}

/** Checks that the job completed, each page is stored once in its new edition, and the charged storage matches. */
async function allCameRight(
  t: Test,
  { storageOff, site }: Installation,
  { api, job, agent, workspaceId }: { api: Client; job: Job; agent: Agent; workspaceId: string },
): Promise<void> {
  t.equal(job.status, 'completed');
  t.equal(job.tasksFailedCount, 0);
  t.same([job.tasksCount, job.tasksCompletedCount], [PAGES, PAGES]);
  const tasks = await api.walk<Job['tasks'][number]>(`/agents/${agent.id}/jobs/${job.id}/tasks`);
  t.equal(tasks.length, PAGES);
  t.ok(
    tasks.every(({ attempts }) => attempts === 1),
    'a death uses up no attempt',
  );
  const pages = (await api.walk<Source>(`/agents/${agent.id}/sources`)).filter(({ title }) =>
    title.startsWith('Page '),
  );
  t.equal(pages.length, PAGES);
  t.equal(new Set(pages.map(({ title }) => title)).size, PAGES, 'none is there twice');
  const texts = await Promise.all(
    pages.map(({ id }) => api.call<{ text: string }>('GET', `/agents/${agent.id}/sources/${id}/content`)),
  );
  t.equal(
    texts.filter(({ text }) => text.includes(`Edition ${site.edition}.`)).length,
    PAGES,
    'each is the new edition',
  );
  t.equal(await storageOff(workspaceId), 0, 'bytes charged and not held');
}

t.test('kill -9 of processes', { skip: await servicesMissing() }, async (t) => {
  // Smaller than a job, so that some pages are not fetched in its middle.
  const installation = await startInstallation(t, { CADRE_JOBS_WINDOW_PER_AGENT: '32' });
  const { apis, workers, site } = installation;
  const { id: workspaceId, apiKey } = await installation.workspace();
  const clients = installation.clients(apiKey);
  const [a, b] = clients;
  const agent = await agentWithPages(clients);

  await t.test('an API in the middle of a 60-page retrain: the other goes on', async (t) => {
    site.edition = 1;
    const { jobId } = await a.call<{ jobId: string }>('POST', `/agents/${agent.id}/train`);
    await inTheMiddle(b, agent.id, jobId);
    const texts = Array.from({ length: 30 }, (_, n) =>
      (n % 2 ? a : b)
        .call<{ documentId: string }>('POST', `/agents/${agent.id}/sources/text`, {
          title: `Text ${n}`,
          content: `The content of text ${n}.`,
        })
        .catch(() => null),
    );
    await Promise.race(texts);
    await apis[0].kill();
    const accepted = (await Promise.all(texts)).flatMap((answer) => answer ?? []);
    t.ok(accepted.length >= 15, 'what the other was asked is done');
    for (const { documentId } of accepted) await b.call('GET', `/agents/${agent.id}/sources/${documentId}`);
    const job = await b.jobEnd(agent.id, jobId);
    await allCameRight(t, installation, { api: b, job, agent, workspaceId });
  });

  await t.test('a worker that holds tasks of a 60-page retrain: another one does them', async (t) => {
    site.edition = 2;
    const { jobId } = await b.call<{ jobId: string }>('POST', `/agents/${agent.id}/train`);
    await inTheMiddle(b, agent.id, jobId);
    const path = await site.hold(installation.userAgent(1));
    const underWay = await b.call<Job>('GET', `/agents/${agent.id}/jobs/${jobId}`);
    t.ok(underWay.tasksCompletedCount < PAGES, 'the job runs');
    await workers[0].kill();
    site.release();
    const job = await b.jobEnd(agent.id, jobId);
    const taken = job.tasks.find(({ target }) => target === siteOrigin + path);
    t.equal(taken?.status, 'completed', 'what it held was done by the other');
    await allCameRight(t, installation, { api: b, job, agent, workspaceId });
  });

  await t.test('what docs/operating.md says helps when RabbitMQ lost its messages', async (t) => {
    // Workers take all messages, so messages wait only without a worker.
    await installation.workers[1].stop();
    const other = await b.call<Agent>('POST', '/agents', { name: 'unlucky' });
    const { jobId } = await b.call<{ jobId: string }>('POST', `/agents/${other.id}/sources/url`, {
      url: `${siteOrigin}/lost`,
    });
    t.ok((await loseMessages(queueNames(installation.prefix).tasks.crawl_page)) > 0);
    await installation.startWorker();
    const [, statement = ''] = textOf('docs/operating.md').split('```sql\n');
    await installation.database.rows(statement.slice(0, statement.indexOf(';')));
    t.equal((await b.jobEnd(other.id, jobId)).status, 'completed');
  });
});
