import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { client } from '../support/flows.js';
import { mysqlMissing } from '../support/mysql.js';
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan, treeBelow } from '../support/otlp-receiver.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../support/rabbitmq.js';
import { scriptedSite } from '../support/scripted-site.js';
import { bootstrapKey, startServer } from '../support/server-process.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';
import { migrate, startProcess } from './cadre-process.js';
import { freshDatabase } from './services.js';

/* One source, from a client's request to its result, as a trace and in log lines. */

const origin = 'https://docs.traces.example';
const page = `${origin}/hours`;
const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];

/**
 * Prints the number of loaded OpenTelemetry modules at exit. The API package alone does nothing; the metrics
 * library loads it.
 */
const tellModules = `--import=data:text/javascript,${encodeURIComponent(
  `import{createRequire}from'node:module';import{writeSync}from'node:fs';
   const{cache}=createRequire('/');
   process.on('exit',()=>writeSync(1,'loaded '+Object.keys(cache).filter(f=>/@opentelemetry.(?!api\\b)/.test(f)).length+' of OpenTelemetry\\n'))`,
)}`;

interface Line extends Record<string, unknown> {
  msg: string;
}
const linesOf = (log: string): Line[] =>
  log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

/** A site whose page fails at first, so that its task has two attempts. */
async function stubbornSite(t: Test) {
  const site = await scriptedSite();
  t.teardown(() => site.close());
  site.on('/hours?token=s3cret', (_, response, visit) => {
    if (visit === 1) response.writeHead(503).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<title>Hours</title><main><p>We are open from nine to five.</p></main>');
  });
  return site;
}

/**
 * Whether a trace is complete: each span has its parent, each message its attempt, and the result has arrived.
 * Processes send spans every second.
 */
function isWhole(spans: ReceivedSpan[], callerId: string): boolean {
  const known = new Set([callerId, ...spans.map(({ spanId }) => spanId)]);
  const named = (begin: string) => spans.filter(({ name }) => name.startsWith(begin)).length;
  return (
    spans.every(({ parentSpanId = '' }) => known.has(parentSpanId)) &&
    named('publish') === named('attempt') &&
    named('receive succeeded') === 1
  );
}

/** Indexes the page within a trace of the client; resolves with all spans of that trace. */
async function indexTraced(t: Test, baseUrl: string, receiver: OtlpReceiver) {
  const api = client(baseUrl, bootstrapKey);
  const { id: agentId } = await api.call<{ id: string }>('POST', '/agents', { name: 'traces' });
  const traceId = randomBytes(16).toString('hex');
  const callerId = randomBytes(8).toString('hex');
  const answer = await fetch(`${baseUrl}/api/v2/agents/${agentId}/sources/url`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bootstrapKey}`,
      'content-type': 'application/json',
      'x-request-id': 'r-traced',
      traceparent: `00-${traceId}-${callerId}-01`,
    },
    body: JSON.stringify({ url: `${page}?token=s3cret` }),
  });
  const { jobId } = (await answer.json()) as { jobId: string };
  const { status, tasks } = await api.jobEnd(agentId, jobId);
  t.equal(status, 'completed');
  const [task] = tasks;
  await until('the last span of each process', () => isWhole(receiver.spans(traceId), callerId));
  const ids = { requestId: 'r-traced', agentId, jobId: Number(jobId), taskId: task?.id };
  return { api, ids, traceId, callerId, spans: receiver.spans(traceId) };
}

/** An attempt reports its start only if it takes a while. */
const isSteady = (line: string, n: number, lines: string[]): boolean =>
  !line.includes('receive started') && !lines[n - 1]?.includes('receive started');

const shape = ({ name, kind, failed }: ReceivedSpan) => `${name} (${KINDS[kind]}${failed ? ', failed' : ''})`;

const wholeTrace = `POST /api/v2/agents/:agentId/sources/url (server)
  turn indexUrl (internal)
    publish crawl_page (producer)
      attempt crawl_page (consumer, failed)
        fetch (client, failed)
          fetch (client)
        receive failed (consumer)
          turn taskFailed (internal)
    publish crawl_page (producer)
      attempt crawl_page (consumer)
        fetch (client)
        parse extractPage (internal)
        receive succeeded (consumer)
          turn taskSucceeded (internal)`;

const isOfDatabase = ({ attributes }: ReceivedSpan): boolean => attributes['db.system.name'] !== undefined;

function assertTrace(t: Test, { spans, callerId, ids }: Awaited<ReturnType<typeof indexTraced>>): void {
  const tree = treeBelow(
    spans.filter((span) => !isOfDatabase(span)),
    callerId,
    shape,
  ).filter(isSteady);
  t.equal(tree.join('\n'), wholeTrace, 'one trace, with both attempts');
  const shown = ({ name, ms, attributes, failed }: ReceivedSpan) =>
    `${name}  ${ms.toFixed(1)} ms${failed ? '  failed' : ''}  ${JSON.stringify(attributes)}`;
  t.comment(treeBelow(spans, callerId, shown).join('\n'));
  const find = (name: string) => spans.find((span) => span.name.startsWith(name))?.attributes;
  t.match(find('POST'), {
    'http.request.method': 'POST',
    'http.route': '/api/v2/agents/:agentId/sources/url',
    'http.response.status_code': 202,
    'cadre.request.id': 'r-traced',
    'cadre.agent.id': ids.agentId,
    'cadre.workspace.id': String,
  });
  t.match(find('turn indexUrl'), { 'cadre.turn.messages': 1, 'cadre.turn.wait_ms': Number });
  t.match(find('attempt'), {
    'cadre.request.id': 'r-traced',
    'cadre.agent.id': ids.agentId,
    'cadre.task.id': ids.taskId,
    'cadre.task.target': `${page}?[redacted]`,
    'error.type': 'HTTP_SERVER_ERROR',
  });
  t.notMatch(JSON.stringify(spans.map(({ attributes }) => attributes)), 's3cret');
}

t.test('the embedded default: one trace, and log lines that name all of it', async (t) => {
  const [receiver, site] = await Promise.all([otlpReceiver(t), stubbornSite(t)]);
  const server = await startServer({
    dataDir: tempFolder(t),
    config: {
      crawl: { resolve: { [origin]: site.origin } },
      jobs: { backoffBaseMs: 10 },
      tracing: { otlpUrl: receiver.url },
    },
    env: { LOG_LEVEL: 'debug', NODE_OPTIONS: tellModules, OTEL_SERVICE_NAME: 'ours' },
  });
  t.teardown(() => server.killAll());
  const indexed = await indexTraced(t, server.baseUrl, receiver);
  assertTrace(t, indexed);
  const { api, ids, traceId, spans } = indexed;
  t.match(spans[0]?.resource, { 'service.name': 'ours', 'service.version': String });

  const malformed = ['00-0-0-01', 'ff'.repeat(5000), `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`];
  for (const traceparent of malformed) {
    const answer = await fetch(`${server.baseUrl}/api/v2/agents/${ids.agentId}`, {
      headers: { authorization: `Bearer ${bootstrapKey}`, traceparent },
    });
    t.equal(answer.status, 200);
  }
  await api.call('POST', `/agents/${ids.agentId}/chat`, { message: 'When are you open?', stream: false });
  t.equal(await server.stop(), 0);

  const reads = receiver.spans().filter(({ name }) => name === 'GET /api/v2/agents/:agentId');
  t.equal(reads.length, 3, 'what a client sends in the place of a trace is no reason to refuse');
  for (const { parentSpanId } of reads) t.notOk(parentSpanId, 'and no parent');
  const asked = receiver.spans().find(({ name }) => name.startsWith('POST') && name.endsWith('/chat'));
  const chat = treeBelow(
    receiver.spans(asked?.traceId).filter((span) => !isOfDatabase(span)),
    asked?.spanId ?? '',
  );
  t.same(chat, ['answer', '  search', '  chat extractive'], 'an answer: what was found, and the model');
  t.notOk(
    receiver.spans().some(({ name }) => name.includes('receive alive') || name === 'GET'),
    'health checks and signs of life are no steps',
  );

  const lines = linesOf(server.log());
  const whole = { ...ids, target: `${page}?[redacted]` };
  for (const said of ['task failed', 'attempt failed', 'task done'])
    t.match(
      lines.find(({ msg }) => msg === said),
      { ...whole, attempt: said === 'task done' ? 2 : 1, traceId },
      said,
    );
  for (const said of ['page not crawled', 'page crawled'])
    t.match(
      lines.find(({ msg }) => msg === said),
      { ...whole, type: 'crawl_page', traceId },
      said,
    );
  const request = lines.find(({ msg, requestId }) => msg === 'request' && requestId === 'r-traced');
  t.match(request, { agentId: ids.agentId, workspaceId: String, traceId, status: Number });
  const answered = lines.find(({ msg }) => msg === 'an answer ended');
  t.match(answered, { requestId: String, agentId: ids.agentId, conversationId: String, traceId: String });
  for (const line of lines.filter(({ taskId }) => taskId !== undefined)) t.match(line, whole, line.msg);
  const twice = /("(?:requestId|agentId|jobId|taskId|target|traceId)":).*\1/;
  t.same(
    server
      .log()
      .split('\n')
      .filter((line) => twice.test(line)),
    [],
    'no id stands twice in a line',
  );
  t.match(server.log(), /loaded [1-9]\d* of OpenTelemetry/);
});

t.test(
  'RabbitMQ and MariaDB: one trace through three processes',
  { skip: (await rabbitmqMissing()) || (await mysqlMissing()) },
  async (t) => {
    const prefix = freshPrefix();
    t.teardown(() => deleteQueues(prefix));
    const [receiver, site, database] = await Promise.all([
      otlpReceiver(t),
      stubbornSite(t),
      freshDatabase(t),
    ]);
    const env = {
      PORT: '0',
      DATA_DIR: tempFolder(t),
      DATABASE_URL: database.url,
      AMQP_URL: amqpUrl,
      BOOTSTRAP_API_KEY: bootstrapKey,
      CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
      CADRE_CRAWL_RESOLVE: JSON.stringify({ [origin]: site.origin }),
      CADRE_JOBS_BACKOFF_BASE_MS: '10',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    };
    await migrate(env);
    const [api, worker] = await Promise.all([
      startProcess('api', { ...env, ROLES: 'api' }),
      startProcess('worker', { ...env, ROLES: 'worker' }),
    ]);
    t.teardown(() => Promise.all([api.kill(), worker.kill()]));
    const indexed = await indexTraced(t, api.baseUrl, receiver);
    assertTrace(t, indexed);
    const processes = new Set(indexed.spans.map(({ resource }) => resource['service.instance.id']));
    t.equal(processes.size, 2);
  },
);

t.test(
  'without a receiver: nothing is loaded; with one that is away: one warning, and all goes on',
  async (t) => {
    const site = await stubbornSite(t);
    const common = { config: { crawl: { resolve: { [origin]: site.origin } }, jobs: { backoffBaseMs: 10 } } };
    const start = (env: Record<string, string>) =>
      startServer({ dataDir: tempFolder(t), ...common, env: { NODE_OPTIONS: tellModules, ...env } });
    const [off, away] = await Promise.all([
      start({}),
      start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '300' }),
    ]);
    t.teardown(() => Promise.all([off.killAll(), away.killAll()]));
    for (const server of [off, away]) {
      const api = client(server.baseUrl, bootstrapKey);
      const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'quiet' });
      const { jobId } = await api.call<{ jobId: string }>('POST', `/agents/${id}/sources/url`, {
        url: `${page}?token=s3cret`,
      });
      t.equal((await api.jobEnd(id, jobId)).status, 'completed');
    }
    const warnings = () =>
      linesOf(away.log()).filter(
        ({ msg, process }) => msg.startsWith('spans cannot be sent') && String(process).startsWith('api-'),
      );
    await until('the warning', () => warnings().length > 0);
    t.equal(await away.stop(), 0);
    t.equal(warnings().length, 1);
    t.equal(await off.stop(), 0);
    const loaded = off.log().match(/loaded \d+ of OpenTelemetry/g);
    t.same(loaded, ['loaded 0 of OpenTelemetry', 'loaded 0 of OpenTelemetry'], 'by the API and its worker');
    t.notMatch(off.log(), 'traceId');
  },
);
