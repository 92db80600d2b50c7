import { apiClient } from '../../../support/api-client.js';
import { chatWith, type Message, textOf } from '../../../support/chat.js';
import { textIn, typesOf } from '../../../support/event-stream.js';
import { calls, says, scriptedAnswerer } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { streamingChat } from '../../../support/streaming-chat.js';

const limit = { maxMessages: 3, windowSeconds: 60, limitMessage: 'Slow down, please.' };

await onEachEngine(
  'beyond the rate limit of a user, no model is called and nothing is stored',
  async (t, engine) => {
    let now = Date.UTC(2027, 0, 1);
    const { api, chat, answerer, open } = await streamingChat(
      t,
      { engine, clock: { now: () => now } },
      { security: { rateLimit: limit } },
    );
    const userId = 'u-1';
    const said: Message[] = [];
    for (let n = 0; n < 3; n += 1) {
      said.push(await chat.say(`Message ${n}`, { userId }));
      now += 10_000;
    }
    const asked = answerer.requests.length;
    const before = (await api.get(chat.at('/conversations'))).text;

    const limited = await chat.say('One more', { userId });
    t.strictSame(limited, {
      id: null,
      role: 'assistant',
      status: 'completed',
      createdAt: now / 1000,
      parts: [{ type: 'text', text: 'Slow down, please.' }],
      feedback: null,
      metadata: {
        conversationId: null,
        userMessageId: null,
        userId,
        finishReason: 'other',
        usage: { credits: 0, inputTokens: 0, outputTokens: 0 },
        citations: [],
        rateLimited: { retryAfterSeconds: 30 },
      },
    } as unknown as Message);
    const { conversationId } = said[0]?.metadata ?? {};
    const inOld = await chat.say('In an old one', { conversationId });
    t.match(inOld.metadata, { conversationId, userId }, 'the user of a conversation is told');
    const stream = await open('/chat', { body: { message: 'Streamed', conversationId } });
    await stream.over;
    t.equal(stream.status, 200);
    t.strictSame(typesOf(stream.events), ['start', 'text-start', 'text-delta', 'text-end', 'finish']);
    t.notOk('messageId' in (stream.events[0] ?? {}));
    t.match(stream.events[0], { messageMetadata: { conversationId, userId } });
    t.equal(textIn(stream.events), 'Slow down, please.');
    t.match(stream.events.at(-1), {
      finishReason: 'other',
      messageMetadata: { rateLimited: { retryAfterSeconds: 30 } },
    });
    t.ok(stream.done);
    const retried = await api.post<Message>(chat.at(`/conversations/${conversationId}/retry`), {
      messageId: said[0]?.id,
      stream: false,
    });
    t.match(retried.body, { id: null, metadata: { conversationId, rateLimited: {} } });
    t.equal(answerer.requests.length, asked);
    t.equal((await api.get(chat.at('/conversations'))).text, before);
    t.equal((await chat.say('Somebody else', { userId: 'u-2' })).status, 'completed');

    now += 29_999;
    t.equal((await chat.say('Still', { userId })).id, null);
    now += 1;
    t.type((await chat.say('Now', { userId })).id, 'string', 'the window slides');
    t.equal((await chat.say('Again', { userId })).id, null);
    now += 10_000;
    const again = await api.post<Message>(chat.at(`/conversations/${conversationId}/retry`), {
      messageId: said[0]?.id,
      stream: false,
    });
    t.type(again.body.id, 'string');
    t.equal((await chat.say('A retry counts', { userId })).id, null);
  },
);

await onEachEngine('without a user, the limit applies to the conversation', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const { conversationId } = (await chat.say('One')).metadata;
  await chat.say('Two', { conversationId });
  await api.patch(chat.at('/settings/security'), { rateLimit: limit });
  answerer.play(calls('', { id: `call_${conversationId}`, name: 'look', input: {} }), says('Seen.'));
  const three = await chat.say('Three', {
    conversationId,
    tools: [{ name: 'look', inputSchema: { type: 'object' } }],
  });
  t.type(three.id, 'string', 'messages from before the limit was set count, and so does the first');
  t.equal((await chat.say('Four', { conversationId })).id, null);
  await api.post(chat.at(`/conversations/${conversationId}/tool-result`), {
    toolCallId: `call_${conversationId}`,
    output: 1,
  });
  t.equal(textOf((await chat.ask({ conversationId })).body), 'Seen.', 'a continuation does not count');
  for (let n = 0; n < 5; n += 1)
    t.type((await chat.say('A new one')).id, 'string', 'the first message is not limited');
});

await onEachEngine('the limit is exact across two processes', async (t, engine) => {
  const answerer = scriptedAnswerer();
  const service = await startTestService(t, { engine, answerer });
  const { apiKey } = await service.workspace();
  const apis = [service, await service.beside()].map(({ baseUrl }) => apiClient(baseUrl, apiKey));
  const [api] = apis;
  if (!api) throw new Error('there is no API');
  const chat = await chatWith(api, { security: { rateLimit: { ...limit, maxMessages: 7 } } });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      apis[n % 2]?.post<Message>(chat.at('/chat'), { message: `${n}`, userId: 'u', stream: false }),
    ),
  );
  t.strictSame([...new Set(answers.map((answer) => answer?.status))], [200]);
  t.equal(answers.filter((answer) => answer?.body.id !== null).length, 7);
  t.equal(answerer.requests.length, 7);
});
