import { body, type List } from '../../../support/api-client.js';
import type { Conversation, ConversationDetail } from '../../../support/chat.js';
import { followEvents } from '../../../support/conversation-events.js';
import { says, scriptedAnswerer } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { peopleOf, startSocialService } from '../../../support/social.js';
import { until } from '../../../support/until.js';

const ASKED = 'I have asked a person to answer you here. Until then, I can help you.';

await onEachEngine('a message on a social platform asks for a person', async (t, engine) => {
  const answerer = scriptedAnswerer();
  answerer.play(says('From the agent.'));
  let ahead = 0;
  const social = await startSocialService(t, engine, {
    answerer,
    clock: { now: () => Date.now() + ahead },
    settings: { channels: { gatherMs: 50 } },
  });
  const { platform, api, agent, service, apiKey } = social;
  const { said, exported, receives } = peopleOf(social);
  const one = await agent('700');
  const write = (text: string) => platform.write(one.accountId, '7', text);
  const path = async () => `/agents/${one.id}/conversations/${(await exported(one, '7'))[0]?.id}`;

  await write('Can I talk to a human?');
  await receives(one, '7', 1);
  t.same(await said(one, '7'), ['user: Can I talk to a human?', 'assistant: From the agent.'], 'not enabled');

  await body(api.patch(`/agents/${one.id}/settings/handover`, { enabled: true }));
  const inbox = await followEvents(service.baseUrl, '/inbox/events', { token: apiKey });
  await write('I want to talk to a human');
  await receives(one, '7', 2);
  t.equal((await said(one, '7')).at(-1), `assistant: ${ASKED}`);
  const own = await path();
  t.match(await body(api.get<ConversationDetail>(own)), { state: 'requested', assignee: null });
  await write('When do you open?');
  await receives(one, '7', 3);
  t.equal((await said(one, '7')).at(-1), 'assistant: From the agent.', 'the agent goes on answering');

  await body(api.post(`${own}/messages`, { text: 'At nine.' }));
  await receives(one, '7', 4);
  await write('Thank you. And on Sundays?');
  await until('the message', async () => (await said(one, '7')).at(-1)?.includes('Sundays'));
  ahead = 31 * 60_000;
  await until('another person is wanted', async () => {
    const { state } = await body(api.get<ConversationDetail>(own));
    return state === 'requested';
  });
  await receives(one, '7', 5);
  t.match((await said(one, '7')).at(-1), /no person has been able to answer/);
  inbox.cut();

  // The first request was accepted more than half an hour before, the two that follow fill the limit of an hour.
  ahead = 40 * 60_000;
  const opened = await followEvents(service.baseUrl, '/inbox/events', { token: apiKey });
  for (const [n, last] of [ASKED, ASKED, 'From the agent.'].entries()) {
    await body(api.patch(own, { state: 'agent' }));
    await write('I want to talk to a human');
    await receives(one, '7', 6 + n);
    t.equal((await said(one, '7')).at(-1), `assistant: ${last}`, `request ${n + 2} of this hour`);
  }
  t.match(await body(api.get<ConversationDetail>(own)), { state: 'agent' });
  opened.cut();

  await platform.answerByHand(one.accountId, '8', 'May I help you?');
  const list = async (state: string) =>
    (await body(api.get<List<{ conversation: Conversation }>>(`/inbox?state=${state}`))).data;
  const { id } = await until('the pause', async () => (await list('human'))[0]?.conversation);
  const events = await followEvents(service.baseUrl, `/agents/${one.id}/conversations/${id}/events`, {
    token: apiKey,
  });
  ahead += 25 * 3_600_000;
  await until('the end of the pause', () => events.events.some(({ state }) => state === 'agent'));
  t.ok(
    (await list('agent')).some(({ conversation }) => conversation.id === id),
    'a list by state has it',
  );
  events.cut();
});
