import { body } from '../../support/api-client.js';
import { type Message, textOf } from '../../support/chat.js';
import { mcpClient } from '../../support/mcp-client.js';
import { startTestService } from '../../support/service.js';
import { peopleOf, startSocialService } from '../../support/social.js';
import t from '../../support/t.js';
import { visitorOf } from '../../support/visitors.js';

const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });
const SENTENCE = 'I do not know. [Write to us](https://acme.com/contact) **now**.';
const MARKDOWN = 'I do not know. [Write to us](https://acme.com/contact) \\*\\*now\\*\\*.';
const UNKNOWN = 'When does the ferry leave?';

async function agent() {
  const { apiKey } = await service.workspace();
  const owner = service.api(apiKey);
  const { id } = await owner.agent();
  await body(
    owner.post(`/agents/${id}/sources/text`, {
      title: 'Reset',
      content: 'Hold the power button for ten seconds.',
    }),
  );
  const at = `/agents/${id}`;
  const set = (unansweredMessage: string | null) =>
    body(owner.patch(`${at}/settings/handover`, { unansweredMessage }));
  const visitor = service.api((await visitorOf(service, id)).token);
  const ask = (message: string, headers = {}, api = visitor) =>
    body(api.post<Message>(`${at}/chat`, { message, stream: false }, { headers }));
  return { apiKey, owner, id, at, set, visitor, ask };
}

t.test('the agent says its own sentence on every road', async (t) => {
  const { apiKey, owner, id, at, set, ask } = await agent();
  t.equal(textOf(await ask(UNKNOWN)), 'I found nothing about this in my sources.');
  await set(SENTENCE);
  t.equal(textOf(await ask(UNKNOWN)), MARKDOWN, 'a visitor');
  const answer = await ask(UNKNOWN, {}, owner);
  t.equal(textOf(answer), MARKDOWN, 'a key');
  t.equal(answer.metadata.outcome, 'unanswered');
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const post = (path: string, sent: object) =>
    fetch(`${service.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(sent) });
  const stream = await post(`/api/v2${at}/chat`, { message: UNKNOWN });
  const deltas = [...(await stream.text()).matchAll(/"type":"text-delta".*?"delta":("(?:[^"\\]|\\.)*")/g)];
  t.equal(deltas.map(([, delta = '""']) => JSON.parse(delta)).join(''), MARKDOWN, 'a stream');

  const completion = await post('/openai/v1/chat/completions', {
    model: id,
    messages: [{ role: 'user', content: UNKNOWN }],
  });
  const { choices } = (await completion.json()) as { choices: { message: { content: string } }[] };
  t.equal(choices[0]?.message.content, MARKDOWN, 'the OpenAI road');

  const mcp = await mcpClient(t, service.baseUrl, apiKey);
  const called = await mcp.callTool({ name: 'ask', arguments: { question: UNKNOWN } });
  t.match(called.structuredContent, { answer: MARKDOWN, outcome: 'unanswered' }, 'MCP');

  t.match(textOf(await ask('How do I hold the power button?', {}, owner)), /ten seconds/, 'an answer stays');
  t.equal(textOf(await ask('Thanks!')), 'You’re welcome!', 'small talk stays');
  await set(null);
  t.equal(textOf(await ask(UNKNOWN)), 'I found nothing about this in my sources.');
});

t.test(
  'the built-in sentence follows the setting, the question, then the request of a visitor',
  async (t) => {
    const { owner, at, ask } = await agent();
    const german = { 'accept-language': 'xx, de-AT;q=0.9, fr;q=0.5' };
    t.match(textOf(await ask('xyzzy', german)), /^Dazu habe ich/);
    t.match(textOf(await ask('xyzzy', german, owner)), /^I found nothing/, 'not for keys');
    t.match(textOf(await ask('xyzzy')), /^I found nothing/);
    t.match(textOf(await ask('¿Cuándo sale el barco?', german)), /^No he encontrado|^No encontr/);
    await body(owner.patch(`${at}/settings/design`, { language: 'fr' }));
    t.match(textOf(await ask('xyzzy', german)), /^Je n’ai|^Je n'ai/);
  },
);

t.test('a social platform gets the sentence as plain text', async (t) => {
  const social = await startSocialService(t, 'sqlite', { settings: { channels: { gatherMs: 50 } } });
  const one = await social.agent('500');
  await body(social.api.patch(`/agents/${one.id}/settings/handover`, { unansweredMessage: SENTENCE }));
  await social.platform.write('500', '7', UNKNOWN);
  await peopleOf(social).receives(one, '7', 1);
  t.strictSame(social.platform.received('500', '7'), [
    'I do not know. Write to us: https://acme.com/contact **now**.',
  ]);
});
