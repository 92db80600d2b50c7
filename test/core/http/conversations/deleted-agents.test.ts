import { connect } from '../../../../adapters/sequelize/connect.js';
import { body } from '../../../support/api-client.js';
import { columnsOf } from '../../../support/schema.js';
import { scriptedAnswerer } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { type SocialAgent, startSocialService } from '../../../support/social.js';
import { until } from '../../../support/until.js';
import { visitorOf } from '../../../support/visitors.js';

const AGENTS = 12;
/** Credits and the audit log are the workspace's: they stay after the agent. */
const KEPT = new Set(['audit', 'credit_counts']);

await onEachEngine('agents that are deleted under load leave no rows behind', async (t, engine) => {
  const answerer = scriptedAnswerer();
  const social = await startSocialService(t, engine, {
    answerer,
    settings: {
      channels: { gatherMs: 0 },
      widget: { rateLimit: { maxMessages: 1000, windowSeconds: 1 } },
      auth: { cacheTtlSeconds: 5 },
    },
  });
  const { api, service, platform, apiKey } = social;
  platform.repeats = false;
  const connection = connect({ url: service.databaseUrl, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const unexpected: string[] = [];

  async function expectKnown(
    what: string,
    work: () => Promise<{ status: number; text: string }>,
  ): Promise<void> {
    const { status, text } = await work();
    // 503 is backpressure.
    const isRefused = status === 404 || status === 503 || /evaluations that have not ended/.test(text);
    if (status >= 300 && !isRefused) unexpected.push(`${what}: ${status} ${text}`);
    if (status === 404 && !/AGENT_NOT_FOUND|model_not_found/.test(text)) unexpected.push(`${what}: ${text}`);
  }

  /** Uses the agent in every way until it is deleted, and a little longer. */
  async function use({ id, accountId }: SocialAgent, gone: () => boolean): Promise<void> {
    const visitor = await visitorOf(service, id);
    const at = `/agents/${id}`;
    const answer = await body(
      api.post<{ metadata: { conversationId: string } }>(`${at}/chat`, { message: 'Hi', stream: false }),
    );
    const { conversationId } = answer.metadata;
    const question = { type: 'exact', question: 'What?', answer: [['answer']] };
    let n = 0;
    const post = (path: string, sent: object, more?: object) => () => api.post(`${at}${path}`, sent, more);
    const ways: (() => Promise<void>)[] = [
      () => expectKnown('new chat', post('/chat', { message: `A${n}`, stream: false, userId: `user-${n}` })),
      () => expectKnown('chat', post('/chat', { message: `B${n}`, stream: false, conversationId })),
      () =>
        expectKnown(
          'repeatable chat',
          post(
            '/chat',
            { message: `C${n}`, stream: false },
            { headers: { 'Idempotency-Key': `key-${id}-${n}` } },
          ),
        ),
      () =>
        expectKnown('visitor', () =>
          service.api(visitor.token).post(`${at}/chat`, { message: `D${n}`, stream: false }),
        ),
      () => expectKnown('evaluation', post('/evaluations', { questions: [question] })),
      () => expectKnown('question', post('/evaluation-questions', { questions: [question] })),
      async () => void (await platform.write(accountId, `${1 + (n % 3)}`, `E${n}`)),
      () =>
        expectKnown('openai', async () => {
          const response = await fetch(`${service.baseUrl}/openai/v1/chat/completions`, {
            method: 'POST',
            headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
            body: JSON.stringify({ model: id, user: `u${n}`, messages: [{ role: 'user', content: 'Hi' }] }),
          });
          return { status: response.status, text: await response.text() };
        }),
    ];
    for (let after = 0; after < 2; after += gone() ? 1 : 0) {
      n += 1;
      await Promise.all(ways.map((way) => way()));
    }
  }

  const agents = [];
  for (let n = 0; n < AGENTS; n++) agents.push(await social.agent(`${1000 + n}`));
  for (let at = 0; at < AGENTS; at += 6) {
    const some = agents.slice(at, at + 6);
    const deleted = new Set<string>();
    const uses = some.map((agent) => use(agent, () => deleted.has(agent.id)));
    await Promise.all(
      some.map(async ({ id }, n) => {
        await until(
          'its answers',
          () => answerer.requests.filter(({ agent }) => agent.id === id).length > n + 3,
        );
        await body(api.delete(`/agents/${id}`));
        deleted.add(id);
      }),
    );
    await Promise.all(uses);
  }
  t.strictSame(unexpected, []);
  t.strictSame(
    service.logged.filter(({ level }) => level === 'error').map(({ message }) => message),
    [],
  );

  const tables = [...(await columnsOf(connection))].flatMap(([table, columns]) =>
    KEPT.has(table)
      ? []
      : columns.filter(({ name }) => /(^|_)agent_id$/.test(name)).map(({ name }) => [table, name]),
  );
  t.ok(tables.length > 25, 'tables with agents');
  const ids = agents.map(({ id }) => id);
  const left = async () => {
    const found: string[] = [];
    for (const [table, column] of tables) {
      const [row] = await connection.read(
        `SELECT COUNT(*) AS n FROM ${table} WHERE ${column} IN (${ids.map(() => '?').join(', ')})`,
        ids,
      );
      if (Number(row?.n) > 0) found.push(`${table}: ${row?.n}`);
    }
    return found;
  };
  let found: string[] = [];
  await until(
    'all rows to be deleted',
    async () => {
      found = (await left()).filter((line) => !line.startsWith('remains'));
      return found.length === 0;
    },
    300_000,
  ).catch((error: Error) => t.fail(`${error.message}; left: ${found.join(', ')}`));
});
