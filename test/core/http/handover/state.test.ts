import { body, type List, refused } from '../../../support/api-client.js';
import type { Conversation, ConversationDetail } from '../../../support/chat.js';
import { onEachEngine } from '../../../support/service.js';
import t from '../../../support/t.js';
import { visited } from '../../../support/visited-agent.js';

t.setTimeout(120_000);

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
