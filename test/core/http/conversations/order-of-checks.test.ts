import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { invalid, refused } from '../../../support/api-client.js';
import { scriptedAnswerer } from '../../../support/scripted-answerer.js';
import { startTestService, type TestService } from '../../../support/service.js';
import { streamingChat } from '../../../support/streaming-chat.js';
import t from '../../../support/t.js';

const ABSENT = '01890000-0000-7000-8000-000000000000';
const asJson = { 'content-type': 'application/json' };
const asText = { 'content-type': 'text/plain' };

/** A chunked body without a length. */
const sentInChunks = ({ baseUrl }: TestService, apiKey: string, path: string, bytes: string, type: string) =>
  new Promise<object>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': type,
      'transfer-encoding': 'chunked',
    };
    const sending = request(`${baseUrl}/api/v2${path}`, { method: 'POST', headers }, (response) => {
      json(response).then((body) => resolve(body as object), reject);
    });
    sending.on('error', reject);
    if (bytes !== '') sending.write(bytes);
    sending.end();
  });

t.test('rejects bodies that are not JSON or not valid', async (t) => {
  const { api, apiKey, chat, service } = await streamingChat(t);
  const answer = await chat.say('Hello');
  const { conversationId } = answer.metadata;
  const c = `/conversations/${conversationId}`;
  const endpoints = [
    ['POST', '/chat'],
    ['POST', `${c}/retry`],
    ['POST', `${c}/tool-result`],
    ['PATCH', `${c}/messages/${answer.id}/feedback`],
  ] as const;
  const notJson: [string | Uint8Array<ArrayBuffer>, Record<string, string>][] = [
    ['', asJson],
    ['', asText],
    ['', {}],
    ['{', asJson],
    ['{"message": "x"', asJson],
    ["{'message': 'x'}", asJson],
    ['\ufeff{"message":"x"}', asJson],
    [new Uint8Array([0x22, 0xff, 0x22]), asJson],
    ['not json', asJson],
    ['['.repeat(100_000), asJson],
  ];
  const notOurs: [string, Record<string, string>][] = [
    ['[]', asJson],
    ['null', asJson],
    ['5', asJson],
    ['"x"', asJson],
    ['{"message": "x"}', asText],
    ['{', asText],
    ['{"message": "x\\u0000"}', asJson],
    ['{"message": "\\ud800"}', asJson],
    ['{"message": "x", "other": "\\udc00"}', asJson],
    [`{"message": "${'x'.repeat(2_097_152)}"}`, asJson],
  ];
  for (const [method, path] of endpoints) {
    for (const [raw, headers] of notJson)
      refused(
        t,
        await api.send(method, chat.at(path), undefined, { raw, headers }),
        400,
        'VALIDATION_INVALID_JSON',
      );
    for (const [raw, headers] of notOurs)
      refused(
        t,
        await api.send(method, chat.at(path), undefined, { raw, headers }),
        400,
        'VALIDATION_INVALID_BODY',
      );
    refused(t, await api.send(method, chat.at(path)), 400, 'VALIDATION_INVALID_JSON');
  }
  for (const [bytes, type, code] of [
    ['', 'text/plain', 'VALIDATION_INVALID_JSON'],
    ['', 'application/json', 'VALIDATION_INVALID_JSON'],
    ['{}', 'text/plain', 'VALIDATION_INVALID_BODY'],
    ['{', 'application/json', 'VALIDATION_INVALID_JSON'],
  ] as const)
    t.match(
      await sentInChunks(service, apiKey, chat.at('/chat'), bytes, type),
      { error: { code } },
      `${bytes} as ${type}`,
    );
  t.strictSame(
    (await api.send('POST', chat.at(`${c}/stop`), undefined, { raw: '{', headers: asJson })).body,
    {
      stopped: false,
    },
  );
});

t.test('reports the first of two problems in the order of checks', async (t) => {
  const service = await startTestService(t, { answerer: scriptedAnswerer() });
  const api = await service.client();
  const free = await service.client({ plan: 'free' });
  const { id } = await api.agent();
  const malformed = { raw: '{', headers: asJson };
  const long = 'x'.repeat(129);
  const send = (path: string, options: object, body?: object, client = api) =>
    client.send('POST', path, body, options);
  refused(
    t,
    await send(`/agents/${id}/chat`, malformed, undefined, service.api(null)),
    401,
    'AUTH_MISSING_API_KEY',
  );
  refused(t, await send(`/agents/${id}/chat`, malformed, undefined, free), 403, 'SUBSCRIPTION_PLAN_REQUIRED');
  refused(t, await send(`/agents/${ABSENT}/chats`, malformed), 404, 'RESOURCE_NOT_FOUND');
  for (const path of ['chat', `conversations/${long}/retry`, `conversations/x/tool-result`])
    refused(t, await send(`/agents/${ABSENT}/${path}`, malformed), 404, 'AGENT_NOT_FOUND');
  for (const path of ['retry', 'tool-result'])
    invalid(t, await send(`/agents/${id}/conversations/${long}/${path}`, malformed), 'conversationId');
  refused(t, await send(`/agents/${id}/conversations/x/retry`, malformed), 400, 'VALIDATION_INVALID_JSON');
  invalid(t, await send(`/agents/${id}/conversations/x/retry`, {}, { messageId: null }), 'messageId');
  refused(
    t,
    await send(`/agents/${id}/conversations/x/retry`, {}, { messageId: 'x' }),
    404,
    'RESOURCE_NOT_FOUND',
  );
  invalid(t, await send(`/agents/${id}/chat`, {}, { conversationId: ABSENT, message: '' }), 'message');
  refused(
    t,
    await send(`/agents/${id}/chat`, {}, { conversationId: ABSENT, message: 'x' }),
    404,
    'CHAT_CONVERSATION_MISMATCH',
  );
});
