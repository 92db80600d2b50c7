import { body, type List, refused } from '../../../support/api-client.js';
import type { Conversation, ConversationDetail } from '../../../support/chat.js';
import { openStream } from '../../../support/event-stream.js';
import { onEachEngine } from '../../../support/service.js';
import { visited } from '../../../support/visited-agent.js';

await onEachEngine('each reader sees its part of the state of a conversation', async (t, engine) => {
  const { service, owner, agentId, at, visitor } = await visited(t, { engine });
  const { api, say } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const stateOf = ({ state, assignee, waitingSince, person }: Partial<Conversation>) => ({
    state,
    assignee,
    waitingSince,
    person,
  });
  const nothing = { state: undefined, assignee: undefined, waitingSince: undefined, person: undefined };

  const forStaff = { ...nothing, state: 'agent', assignee: null, waitingSince: null };
  t.strictSame(stateOf(await body(owner.get<ConversationDetail>(own))), forStaff);
  const listed = await body(owner.get<List<Conversation>>(at('/conversations')));
  t.strictSame(listed.data.map(stateOf), [forStaff]);

  const forVisitor = { ...nothing, state: 'agent', person: null };
  t.strictSame(stateOf(await body(api.get<ConversationDetail>(own))), forVisitor);
  const ofVisitor = await body(api.get<List<Conversation>>(at('/conversations')));
  t.strictSame(ofVisitor.data.map(stateOf), [forVisitor]);

  const keyOf = async (scope: string) => {
    const { secret } = await body(owner.post<{ secret: string }>('/keys', { name: scope, scope }));
    return service.api(secret);
  };
  const reader = await keyOf('read');
  const detail = await body(reader.get<ConversationDetail>(own));
  t.strictSame(stateOf(detail), { ...nothing, state: 'agent' });
  t.equal((await reader.get(`${own}/messages`)).status, 200);
  t.equal((await reader.get(`${own}/messages/${detail.messages[0]?.id}`)).status, 200);
  const chatKey = await keyOf('chat');
  for (const path of ['', '/messages', `/messages/${detail.messages[0]?.id}`])
    refused(t, await chatKey.get(own + path), 404, 'RESOURCE_NOT_FOUND');

  const { metadata } = await body(
    owner.post<{ metadata: { conversationId: string } }>(`/agents/${agentId}/chat`, {
      message: 'How do I reset the device?',
      stream: false,
    }),
  );
  const ofApi = await body(owner.get<ConversationDetail>(at(`/conversations/${metadata.conversationId}`)));
  t.strictSame(stateOf(ofApi), nothing, 'no person answers in conversations of the API');
});

await onEachEngine('the end of an answer names the state to a visitor', async (t, engine) => {
  const { service, at, visitor, apiKey } = await visited(t, { engine });
  const { token } = await visitor();
  const ends = async (bearer: string, message: object) => {
    const stream = await openStream({
      baseUrl: service.baseUrl,
      apiKey: bearer,
      path: at('/chat'),
      method: 'POST',
      body: message,
    });
    await stream.over;
    return stream.events.at(-1)?.messageMetadata as { state?: string; conversationId: string };
  };
  const first = await ends(token, { message: 'How do I reset the device?' });
  t.equal(first.state, 'agent');
  const { conversationId } = first;
  await service.store.conversations.turns.run(conversationId, async (turn) => {
    const { handover } = turn.conversation;
    if (handover) turn.change({ handover: { ...handover, state: 'requested' } });
  });
  t.equal((await ends(token, { message: 'And now?', conversationId })).state, 'requested');
  t.notOk('state' in (await ends(apiKey, { message: 'How do I reset the device?' })), 'an API key');
});
