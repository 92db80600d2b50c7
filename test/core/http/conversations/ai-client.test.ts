import { DefaultChatTransport, type UIMessage } from 'ai';
import { readByClient, textSeen } from '../../../support/ai-client.js';
import { type Message, textOf } from '../../../support/chat.js';
import { calls, gate, says, saysAround } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { type StreamingChat, streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

/* The client of the AI SDK against the service, over a socket. */

const said = (text: string): UIMessage[] => [{ id: 'u', role: 'user', parts: [{ type: 'text', text }] }];

/** Configures the client like an application would. Its stop button aborts, which becomes our request to stop. */
function clientOf({ service, apiKey, chat }: StreamingChat) {
  const base = `${service.baseUrl}/api/v2${chat.at('')}`;
  let conversationId: string | undefined;
  const headers = { authorization: `Bearer ${apiKey}` };
  const stop = () => fetch(`${base}/conversations/${conversationId}/stop`, { method: 'POST', headers });
  const transport = new DefaultChatTransport({
    api: `${base}/chat`,
    headers,
    prepareSendMessagesRequest: ({ messages, body }) => {
      const text = messages.at(-1)?.parts.map((part) => (part.type === 'text' ? part.text : ''));
      return { body: { message: text?.join(''), conversationId, ...body } };
    },
    prepareReconnectToStreamRequest: ({ id, headers }) => ({
      api: `${base}/conversations/${id}/stream`,
      ...(headers ? { headers } : {}),
    }),
    fetch: (url, { signal, ...init } = {}) => {
      signal?.addEventListener('abort', () => void stop());
      return fetch(url, init);
    },
  });
  return {
    transport,
    /** Reads one answer; `see` receives each state of it. */
    async send(
      message: string,
      {
        see = () => {},
        signal,
        body,
      }: { see?: (message: UIMessage) => void; signal?: AbortSignal; body?: object } = {},
    ) {
      const stream = await transport.sendMessages({
        trigger: 'submit-message',
        chatId: 'c',
        messageId: undefined,
        messages: said(message),
        abortSignal: signal,
        ...(body ? { body } : {}),
      });
      return readByClient(stream, (state) => {
        conversationId ??= (state.metadata as { conversationId?: string } | undefined)?.conversationId;
        see(state);
      });
    },
    get conversationId() {
      return conversationId ?? '';
    },
  };
}

await onEachEngine('the client shows an answer while it is written, and as stored', async (t, engine) => {
  const world = await streamingChat(t, { engine });
  const client = clientOf(world);
  world.answerer.play(says('Hold the 😀 ', 'button.'), says('Ten seconds.'));
  const states: string[] = [];
  const { message, errors } = await client.send('How?', { see: (state) => states.push(textSeen(state)) });
  t.same(errors, []);
  t.ok(
    states.every((text, n) => text.startsWith(states[n - 1] ?? '')),
    'it only grows',
  );
  const { messages } = await world.chat.conversation(client.conversationId);
  const stored = messages[1] as Message;
  t.equal(message?.id, stored.id);
  t.equal(textSeen(message), textOf(stored));
  t.match(message?.metadata, stored.metadata);
  await client.send('How long?');
  t.equal(
    (await world.chat.conversation(client.conversationId)).messages.length,
    4,
    'it goes on in the conversation',
  );
});

await onEachEngine('a returning client resumes the answer in progress', async (t, engine) => {
  const world = await streamingChat(t, { engine });
  const client = clientOf(world);
  const waiting = gate();
  world.answerer.play(saysAround('Hold the ', waiting, 'button.'));
  let seen: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const first = client.send('How?', { see: (state) => textSeen(state) === 'Hold the ' && seen() });
  await begun;
  const beside = clientOf({ ...world, service: await world.service.beside() });
  const reconnect = (to: typeof client) => to.transport.reconnectToStream({ chatId: client.conversationId });
  const streams = [await reconnect(client), await reconnect(beside)];
  waiting.open();
  for (const stream of streams) {
    if (!stream) throw new Error('an answer is under way');
    const { message, errors } = await readByClient(stream);
    t.same(errors, []);
    t.equal(textSeen(message), 'Hold the button.');
    t.strictSame(message?.metadata, (await first).message?.metadata);
  }
  t.equal(await reconnect(client), null, 'then there is none');
});

await onEachEngine('the stop button of a client stops the answer', async (t, engine) => {
  const world = await streamingChat(t, { engine });
  const client = clientOf(world);
  world.answerer.play(saysAround('Hold the ', gate(), 'button.'));
  const button = new AbortController();
  const { message, chunks, errors } = await client.send('How?', {
    signal: button.signal,
    see: (state) => textSeen(state) === 'Hold the ' && button.abort(),
  });
  t.equal(textSeen(message), 'Hold the ');
  t.equal(chunks.at(-1)?.type, 'abort');
  t.same(errors, []);
  const { messages } = await world.chat.conversation(client.conversationId);
  t.match(messages[1], { status: 'stopped', id: message?.id });
});

t.test('the client shows its tool calls and submits their results', async (t) => {
  const world = await streamingChat(t);
  const client = clientOf(world);
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
  world.answerer.play(
    calls('Let me see.', { id: 'call_1', name: 'look', input: { at: 'ä😀' } }),
    says('Done.'),
  );
  const { message } = await client.send('Where?', { body: { tools } });
  t.match(message?.parts.at(-1), {
    type: 'tool-look',
    toolCallId: 'call_1',
    state: 'input-available',
    input: { at: 'ä😀' },
  });
  await world.api.post(world.chat.at(`/conversations/${client.conversationId}/tool-result`), {
    toolCallId: 'call_1',
    output: 'here',
  });
  t.equal(textSeen((await client.send('', { body: { message: undefined } })).message), 'Done.');
});
