import { client } from '../../../support/flows.js';
import { otlpReceiver, type ReceivedSpan } from '../../../support/otlp-receiver.js';
import { bootstrapKey, startServer } from '../../../support/server-process.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { until } from '../../../support/until.js';

const SECRET = 'We open at nine, and nobody may read it.';

await onEachEngine('a trace contains the database statements without values', async (t, engine) => {
  const receiver = await otlpReceiver(t);
  const dataDir = tempFolder(t);
  const server = await startServer({
    dataDir,
    env: {
      ROLES: 'api,worker',
      DATABASE_URL: await emptyDatabase(t, engine, dataDir),
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    },
  });
  t.teardown(() => server.killAll());
  const api = client(server.baseUrl, bootstrapKey);
  const { id } = await api.call<{ id: string }>('POST', '/agents', { name: 'traced' });
  await api.call('POST', `/agents/${id}/sources/text`, { title: 'Hours', content: SECRET });
  await api.call('PATCH', `/agents/${id}`, { name: 'renamed' });
  await api.call('GET', `/agents/${id}/sources`);
  t.equal(await server.stop(), 0);

  const traceOf = (name: string): ReceivedSpan[] => {
    const request = receiver.spans().find((span) => span.name === name);
    t.ok(request, name);
    return receiver
      .spans(request?.traceId)
      .filter(({ attributes }) => attributes['db.system.name'] !== undefined);
  };
  const read = traceOf('GET /api/v2/agents/:agentId/sources');
  t.ok(read.length > 0, 'a read has spans of the database');
  for (const span of read)
    t.match(span, {
      name: /^SELECT \w+$/,
      kind: 3,
      attributes: { 'db.system.name': engine, 'db.operation.name': 'SELECT', 'db.collection.name': /^\w+$/ },
    });
  const renamed = traceOf('PATCH /api/v2/agents/:agentId').map(({ name }) => name);
  t.ok(
    renamed.some((name) => name.endsWith('UPDATE agents')),
    renamed.join(),
  );
  const made = traceOf('POST /api/v2/agents').map(({ name }) => name);
  t.ok(made.includes('transaction'), made.join());
  const written = traceOf('POST /api/v2/agents/:agentId/sources/text');
  const transaction = written.find(({ name }) => name === 'transaction');
  t.match(transaction, { kind: 3, attributes: { 'db.system.name': engine } });
  t.ok(
    written.some(({ parentSpanId }) => parentSpanId === transaction?.spanId),
    'its statements are parts of a transaction',
  );
  await until('all spans', () => receiver.spans().length > 0);
  t.notMatch(
    JSON.stringify(receiver.spans().map(({ name, attributes }) => [name, attributes])),
    SECRET.slice(0, 12),
  );
});
