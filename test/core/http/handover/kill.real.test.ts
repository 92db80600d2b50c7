import { apiClient, body, type List } from '../../../support/api-client.js';
import { type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { followEvents } from '../../../support/conversation-events.js';
import { bootstrapKey, startServer } from '../../../support/server-process.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { until } from '../../../support/until.js';

t.setTimeout(240_000);

const ROUNDS = 4;

/** Sends a request again with its key until there is an answer. */
const surely = <T>(what: string, send: () => Promise<{ status: number; body: T }>): Promise<T> =>
  until(what, async () => {
    const answer = await send().catch(() => null);
    return answer !== null && answer.status < 300 && { found: answer.body };
  }).then(({ found }) => found);

t.test('after kill -9, each request and each message is there once', async (t) => {
  const dataDir = tempFolder(t);
  let server = await startServer({ dataDir });
  t.teardown(() => server.killAll());
  const port = new URL(server.baseUrl).port;
  const { baseUrl } = server;
  const owner = apiClient(baseUrl, bootstrapKey);
  const { id: agentId } = await owner.agent();
  await body(owner.patch(`/agents/${agentId}/settings/handover`, { enabled: true }));
  const made = await fetch(`${baseUrl}/widget/${agentId}/visitor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ origin: 'https://www.acme.com' }),
  });
  const { token } = (await made.json()) as { token: string };
  const visitor = apiClient(baseUrl, token);
  const said = await body(
    visitor.post<Message>(`/agents/${agentId}/chat`, { message: 'Where is the mill?', stream: false }),
  );
  const own = `/agents/${agentId}/conversations/${said.metadata.conversationId}`;
  const events: string[] = [];
  let lastEventId: string | null = (await body(owner.get<{ position: string }>(own))).position;

  for (let round = 0; round < ROUNDS; round++) {
    const inbox = await followEvents(baseUrl, '/inbox/events', { token: bootstrapKey });
    const keyOf = (name: string) => ({ headers: { 'idempotency-key': `${name} ${round}` } });
    const requested = surely('the request', () => visitor.post<object>(`${own}/handover`, {}, keyOf('ask')));
    const written = surely('the message of the person', () =>
      owner.post<object>(`${own}/messages`, { text: `person ${round}` }, keyOf('write')),
    );
    const sent = surely('the message of the visitor', () =>
      visitor.post<object>(
        `/agents/${agentId}/chat`,
        { message: `visitor ${round}`, conversationId: said.metadata.conversationId, stream: false },
        keyOf('chat'),
      ),
    );
    // At another moment in each round.
    await Promise.race([requested, written, sent, ...(round % 2 ? [new Promise(setImmediate)] : [])]);
    await server.killAll();
    inbox.cut();
    server = await startServer({ dataDir, env: { PORT: port } });
    await Promise.all([requested, written, sent]);
    const following = await followEvents(baseUrl, `${own}/events`, { token: bootstrapKey, lastEventId });
    await until('the events', () => {
      const texts = following.events.flatMap(({ message }) => (message ? [textOf(message)] : []));
      return texts.includes(`person ${round}`) && texts.includes(`visitor ${round}`);
    });
    for (const { id, message } of following.events) {
      lastEventId = id ?? lastEventId;
      if (message) events.push(textOf(message));
    }
    following.cut();
    await body(owner.patch(own, { state: 'agent', takeOver: true }));
  }

  const { messages } = await body(visitor.get<ConversationDetail>(own));
  const stored = messages.map(textOf);
  for (let round = 0; round < ROUNDS; round++)
    for (const text of [`person ${round}`, `visitor ${round}`]) {
      t.equal(stored.filter((one) => one === text).length, 1, `${text} is stored once`);
      t.equal(events.filter((one) => one === text).length, 1, `${text} is an event once`);
    }
  const asked = messages.filter(({ role }) => role === 'user').length;
  const answers = messages.filter(({ role, metadata }) => role === 'assistant' && !metadata.author).length;
  t.ok(answers <= asked, 'no message has two answers');
  const listed = await body(owner.get<List<object>>(`/agents/${agentId}/conversations`));
  t.equal(listed.pagination.total, 1);
});
