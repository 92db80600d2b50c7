import { body, type List } from '../../../support/api-client.js';
import { newMember, newOwner } from '../../../support/browser.js';
import { type ConversationDetail, textOf } from '../../../support/chat.js';
import { followEvents } from '../../../support/conversation-events.js';
import { says, scriptedAnswerer } from '../../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { noCache, visited, visitedAgent } from '../../../support/visited-agent.js';

const MINUTE = 60_000;
const SORRY = /no person has been able to answer/;

await onEachEngine('a conversation does not stay with a person who is gone', async (t, engine) => {
  const answerer = scriptedAnswerer();
  answerer.play(says('From the agent.'));
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const service = await startTestService(t, { ...noCache, engine, answerer, clock });
  const owner = await newOwner(service);
  const { at, visitor, owner: key } = await visitedAgent(service, owner.apiKey);
  const support = await newMember(service, owner, { role: 'support' });
  const { say } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  const read = () => body(key.get<ConversationDetail>(own));
  const waiting = (state: string) =>
    until(`the state ${state}`, async () => {
      const found = await read();
      return found.state === state && found;
    });

  await body(key.patch(own, { assigneeId: support.memberId }));
  await say('Are you there?', { conversationId });
  ahead = 29 * MINUTE;
  await support.browser.api(owner.workspaceId, 'GET', '/me');
  t.equal((await read()).state, 'human');
  ahead = 31 * MINUTE;
  const lost = await waiting('requested');
  t.match(lost, { assignee: null, waitingSince: Number });
  t.match(textOf(lost.messages.at(-1) as never), SORRY);
  t.equal(textOf(await say('And now?', { conversationId })), 'From the agent.');

  ahead += 40 * MINUTE;
  await body(key.patch(own, { assigneeId: support.memberId }));
  const { unanswered } = service.store.conversations.inbox.sweeps;
  const late = Math.floor(clock.now() / 1000) - 1800;
  t.strictSame(await unanswered(late, 100), [], 'a wait before the take-over does not count');
  await owner.browser.api(owner.workspaceId, 'PATCH', `/members/${support.memberId}`, { disabled: true });
  t.equal((await waiting('requested')).assignee, null, 'the person may no longer answer');

  ahead += 24 * 60 * MINUTE + MINUTE;
  const given = await waiting('agent');
  t.match(textOf(given.messages.at(-1) as never), SORRY);
});

await onEachEngine('requests are announced and counted', async (t, engine) => {
  const { service, apiKey, owner, agentId, at, visitor } = await visited(t, { engine });
  const events = ['handover.requested', 'handover.ended', 'message.created'];
  const webhook = await body(
    owner.post<{ id: string }>('/webhooks', { url: 'https://hooks.acme.com/', events }),
  );
  await body(owner.patch(at('/settings/handover'), { enabled: true }));
  const inbox = await followEvents(service.baseUrl, '/inbox/events', { token: apiKey });
  const { say, api } = await visitor();
  const { conversationId } = (await say('How do I reset the device?')).metadata;
  const own = at(`/conversations/${conversationId}`);
  await body(api.post(`${own}/handover`, {}));
  const { id: messageId } = await body(owner.post<{ id: string }>(`${own}/messages`, { text: 'Yes?' }));
  await body(owner.patch(own, { state: 'closed' }));
  const deliveries = await body(
    owner.get<List<{ message: { type: string; data: object } }>>(`/webhooks/${webhook.id}/deliveries`),
  );
  const data = { agentId, conversationId };
  t.same(deliveries.data.map(({ message }) => [message.type, message.data]).sort(), [
    ['handover.ended', { ...data, reason: 'closed' }],
    ['handover.requested', data],
    ['message.created', { ...data, messageId }],
  ]);
  const { days, medianWaitSeconds } = await body(
    owner.get<{ days: object[]; medianWaitSeconds: number }>(at('/statistics')),
  );
  t.match(days.at(-1), { handoverRequests: 1, handoversTaken: 1 });
  t.equal(typeof medianWaitSeconds, 'number');
  inbox.cut();
});
