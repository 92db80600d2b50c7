import { apiClient, body, type List } from '../../../support/api-client.js';
import { type ConversationDetail, type Message, textOf } from '../../../support/chat.js';
import { followEvents } from '../../../support/conversation-events.js';
import { startDyingServers } from '../../../support/dying-servers.js';
import { bootstrapKey, startServer } from '../../../support/server-process.js';
import { onEachEngine } from '../../../support/service.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { until } from '../../../support/until.js';

const ROUNDS = 4;

const PATIENCE_MS = 120_000;

/** Sends a request again with its key until there is an answer. Waits longer as long as `progress` changes. */
async function surely<T>(
  what: string,
  send: () => Promise<{ status: number; body: T }>,
  progress: () => number = () => 0,
): Promise<T> {
  for (;;) {
    const before = progress();
    try {
      const { found } = await until(
        what,
        async () => {
          const answer = await send().catch(() => null);
          return answer !== null && answer.status < 300 && { found: answer.body };
        },
        PATIENCE_MS,
      );
      return found;
    } catch (error) {
      if (progress() === before) throw error;
    }
  }
}

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

/** Fewer kinds of commits are a fault of the test. */
const LEAST_DEATHS = 8;
const MOST_ROUNDS = 60;

await onEachEngine(
  'kill -9 before each kind of commit loses no message, doubles none, and leaves no second answer',
  async (t, engine) => {
    const servers = await startDyingServers(t, engine, {
      config: { http: { trustedProxies: ['127.0.0.1/32'] } },
      diesAt: 'conversations',
    });
    /** Sends a request again with its key, through any process, until there is an answer. */
    const send = <T>(
      what: string,
      [method, path, sent]: [method: string, path: string, sent: object],
      { token = bootstrapKey, n }: { token?: string | undefined; n: number },
    ): Promise<T> =>
      surely(
        what,
        () =>
          apiClient(servers.nextUrl(), token).send<T>(method, path, sent, {
            headers: {
              'idempotency-key': what,
              // Limits count the addresses of visitors.
              'x-forwarded-for': `10.1.0.${n}`,
            },
          }),
        servers.deaths,
      );
    const { id: agentId } = await apiClient(servers.baseUrl(), bootstrapKey).agent();
    await send('settings', ['PATCH', `/agents/${agentId}/settings/handover`, { enabled: true }], { n: 0 });

    interface Round {
      own: string;
      /** Texts by the person, and messages of the visitor with the state in which they were received. */
      written: string[];
      said: { text: string; isForPerson: boolean }[];
    }
    /** A visitor asks for a person and writes. The person answers, hands the conversation back and closes it. */
    async function runRound(n: number): Promise<Round> {
      const { token } = await until('a visitor', async () => {
        const response = await fetch(`${servers.nextUrl()}/widget/${agentId}/visitor`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.0.${n}` },
          body: JSON.stringify({ origin: 'https://www.acme.com' }),
        }).catch(() => null);
        return response?.ok && ((await response.json().catch(() => null)) as { token: string } | null);
      });
      const said: Round['said'] = [];
      const chat = async (text: string, conversationId?: string): Promise<string> => {
        const message = { message: text, stream: false, ...(conversationId ? { conversationId } : {}) };
        const { metadata } = await send<Message>(text, ['POST', `/agents/${agentId}/chat`, message], {
          token,
          n,
        });
        said.push({ text, isForPerson: metadata.handledBy === 'human' });
        return metadata.conversationId;
      };
      const conversationId = await chat(`first ${n}`);
      const own = `/agents/${agentId}/conversations/${conversationId}`;
      const written: string[] = [];
      const write = async (text: string): Promise<void> => {
        await send(text, ['POST', `${own}/messages`, { text }], { n });
        written.push(text);
      };
      const change = (state: string) =>
        send(`${state} ${n}`, ['PATCH', own, { state, takeOver: true }], { n });
      await until('the inbox', async () => {
        const inbox = await followEvents(servers.nextUrl(), '/inbox/events', { token: bootstrapKey }).catch(
          () => null,
        );
        inbox?.cut();
        return inbox?.status === 200;
      });
      await send(`ask ${n}`, ['POST', `${own}/handover`, {}], { token, n });
      await Promise.all([
        write(`person ${n}`),
        chat(`together ${n}`, conversationId),
        chat(`and this ${n}`, conversationId),
      ]);
      await chat(`to the person ${n}`, conversationId);
      await change('agent');
      await Promise.all([chat(`to the agent ${n}`, conversationId), change('closed')]);
      await chat(`reopened ${n}`, conversationId);
      return { own, written, said };
    }

    await servers.killBeforeCommits();
    const rounds: Round[] = [];
    for (;;) {
      const deaths = servers.deaths();
      rounds.push(await runRound(rounds.length + 1));
      if (servers.deaths() === deaths) break;
      if (rounds.length > MOST_ROUNDS) throw new Error('Each round has had a new kind of commit.');
    }
    t.comment(`${servers.deaths()} deaths, ${rounds.length} rounds`);
    t.ok(servers.deaths() >= LEAST_DEATHS, `${servers.deaths()} deaths`);

    const owner = apiClient(servers.baseUrl(), bootstrapKey);
    for (const { own, written, said } of rounds) {
      const { messages } = await body(owner.get<ConversationDetail>(own));
      const people = messages.filter(({ metadata }) => metadata.author);
      const users = messages.filter(({ role }) => role === 'user');
      t.strictSame(people.map(textOf), written, 'each message of the person once, in order');
      t.strictSame(users.map(textOf).sort(), said.map(({ text }) => text).sort(), 'each of the visitor once');
      const answers = messages.filter(({ role, metadata }) => role === 'assistant' && !metadata.author);
      for (const { text, isForPerson } of said) {
        const asked = users.find((message) => textOf(message) === text);
        const found = answers.filter(({ metadata }) => metadata.userMessageId === asked?.id).length;
        t.ok(found <= (isForPerson ? 0 : 1), `${text}: ${found} answers of the agent`);
      }
      const following = await followEvents(servers.baseUrl(), `${own}/events`, {
        token: bootstrapKey,
        lastEventId: '0',
      });
      const shown = () => following.events.flatMap(({ message }) => (message ? [message.id] : []));
      await until('the events', () => shown().length >= messages.length);
      following.cut();
      t.strictSame(
        shown(),
        [...new Set(shown())].filter((id) => messages.some((message) => message.id === id)),
        'each message is an event once',
      );
    }
  },
  { atOnce: true },
);
