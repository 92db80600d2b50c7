import { apiClient, invalid, type List, walk } from '../../../support/api-client.js';
import { type Conversation, chatWith } from '../../../support/chat.js';
import { finish, type Play, says, stepStart } from '../../../support/scripted-answerer.js';
import { onEachEngine } from '../../../support/service.js';
import { streamingChat } from '../../../support/streaming-chat.js';

/** What `include=summary` adds. */
interface Summed {
  outcome: string | null;
  feedback: string | null;
  lastMessage: { role: string; text: string } | null;
}

const unanswered: Play = async function* () {
  yield stepStart;
  yield { type: 'text', text: 'The manual does not say.' };
  yield { type: 'step-finish' };
  yield { ...finish(), outcome: 'unanswered' };
};

await onEachEngine('finds conversations by words of their messages', async (t, engine) => {
  const { api, chat, answerer, service } = await streamingChat(t, { engine });
  const say = async (message: string, answer: string, more: object = {}) => {
    answerer.play(says(answer));
    return chat.say(message, more);
  };
  const find = async (q: string, more = '') => {
    const path = chat.at(`/conversations?q=${encodeURIComponent(q)}${more}`);
    const { status, text, body } = await api.get<List<Conversation>>(path);
    t.equal(status, 200, text);
    t.equal(body.pagination.total, (await walk(api, path, 1)).length, `the total for ${q}`);
    return body.data.map(({ id }) => id);
  };
  const umbrella = await say('Do you sell umbrellas?', 'Yes, of the Storm series.', { userId: 'u-1' });
  const parcel = await say('Where is my parcel?', 'It is on its way.', { userId: 'u-2' });
  const storm = parcel.metadata.conversationId;
  const first = umbrella.metadata.conversationId;
  await say('Will the storm delay it?', 'No.', { conversationId: storm });

  t.strictSame(await find('umbrella'), [first], 'another form of the word');
  t.strictSame(await find('STORM'), [storm, first], 'newest first; a question or an answer');
  t.strictSame(await find('storm parcel'), [storm], 'words of different messages');
  t.strictSame(await find('storm raincoat'), [], 'all words must be found');
  t.strictSame(await find('storm', '&userId=u-1'), [first]);
  t.strictSame(await find('storm', '&source=widget'), []);
  t.strictSame(await find('?!'), [], 'no words');
  invalid(t, await api.get(chat.at('/conversations?q=%20')), 'q');
  invalid(t, await api.get(chat.at(`/conversations?q=${'a'.repeat(201)}`)), 'q');
  invalid(t, await api.get(chat.at('/conversations?q=')), 'q');
  const { cursor } = (await api.get<List<Conversation>>(chat.at('/conversations?q=storm&limit=1'))).body
    .pagination;
  for (const query of ['q=parcel&', '', 'q=storm&feedback=positive&'])
    invalid(t, await api.get(chat.at(`/conversations?${query}cursor=${cursor}`)), 'cursor');

  answerer.play(says('It was sent on Monday.'));
  const retry = chat.at(`/conversations/${storm}/retry`);
  t.equal((await api.post(retry, { messageId: parcel.id, stream: false })).status, 200);
  t.strictSame(await find('monday'), [storm]);
  t.strictSame(await find('delay'), [], 'messages that a retry has replaced');

  const other = await chatWith(api);
  answerer.play(says('No.'));
  await other.say('An umbrella?');
  t.strictSame(await find('umbrella'), [first], 'another agent');
  const stranger = apiClient(service.baseUrl, (await service.workspace()).apiKey);
  t.equal((await stranger.get(chat.at('/conversations?q=umbrella'))).status, 404);

  await api.delete(chat.at(`/conversations/${first}`));
  t.strictSame(await find('umbrella'), [], 'a deleted conversation');
});

await onEachEngine('lists conversations by feedback', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const say = async (message: string, feedback: string | null, more: object = {}) => {
    const { id, metadata } = await chat.say(message, more);
    const at = chat.at(`/conversations/${metadata.conversationId}/messages/${id}/feedback`);
    if (feedback !== null) t.equal((await api.patch(at, { feedback })).status, 200);
    return { at, id: metadata.conversationId };
  };
  const list = async (query: string) => {
    const path = chat.at(`/conversations?${query}`);
    const { status, text, body } = await api.get<List<Conversation>>(path);
    t.equal(status, 200, text);
    t.equal(body.pagination.total, (await walk(api, path, 1)).length, query);
    return body.data.map(({ id }) => id);
  };
  const good = await say('How?', 'positive', { userId: 'u-1' });
  answerer.play(unanswered);
  const mixed = await say('Why?', 'positive');
  await say('Who?', 'negative', { conversationId: mixed.id });
  await say('When?', 'negative', { conversationId: mixed.id });
  answerer.play(says('An answer.'));
  await say('Where?', null);

  t.strictSame(await list('feedback=positive'), [mixed.id, good.id]);
  t.strictSame(await list('feedback=negative'), [mixed.id]);
  t.strictSame(await list('feedback=positive&userId=u-1'), [good.id]);
  t.strictSame(await list('feedback=positive&outcome=unanswered&source=api'), [mixed.id, good.id]);
  t.strictSame(await list('feedback=positive&source=widget'), []);
  t.strictSame(await list('feedback=positive&endDate=1'), []);
  t.strictSame(await list('feedback=negative&q=who'), [mixed.id]);
  t.strictSame(await list('feedback=negative&outcome=answered'), []);
  const { data } = (await api.get<List<Conversation & Summed>>(chat.at('/conversations?include=summary')))
    .body;
  const summed = (wanted: string) => data.find(({ id }) => id === wanted);
  t.match(summed(mixed.id), {
    feedback: 'negative',
    outcome: 'unanswered',
    lastMessage: { role: 'assistant', text: 'The manual does not say.' },
  });
  t.match(summed(good.id), { feedback: 'positive' }, 'the worst rating is shown');
  t.equal(data[0]?.feedback, null, 'not rated');
  invalid(t, await api.get(chat.at('/conversations?include=all')), 'include');
  invalid(t, await api.get(chat.at('/conversations?feedback=good')), 'feedback');
  await api.patch(good.at, { feedback: null });
  t.strictSame(await list('feedback=positive'), [mixed.id]);
});

await onEachEngine('finds conversations with more messages than one statement reads', async (t, engine) => {
  const { api, chat, service } = await streamingChat(t, { engine });
  const { conversationId } = (await chat.say('The first umbrella')).metadata;
  const other = await chat.say('Another umbrella');
  const { turns } = service.store.conversations;
  await turns.run(conversationId, async (turn) => {
    for (let n = 0; n < 1200; n += 1) await turn.messages.storeWords(1_000_000 + n, Uint32Array.of(n));
    turn.change({ messages: 1202 });
  });
  const { body } = await api.get<List<Conversation>>(chat.at('/conversations?q=another'));
  t.strictSame(
    body.data.map(({ id }) => id),
    [other.metadata.conversationId],
  );
  const { body: none } = await api.get<List<Conversation>>(chat.at('/conversations?q=first'));
  t.strictSame(none.data, [], 'of a very long conversation, the newest messages are searched');
});

await onEachEngine('searches a limited number of messages in all', async (t, engine) => {
  const { api, chat, service } = await streamingChat(t, { engine });
  const { turns } = service.store.conversations;
  const find = async (q: string) =>
    (await api.get<List<Conversation>>(chat.at(`/conversations?q=${q}`))).body.pagination.total;
  await chat.say('An umbrella');
  for (let n = 0; n < 49; n += 1) {
    const { conversationId } = (await chat.say('A parcel')).metadata;
    await turns.run(conversationId, async (turn) => turn.change({ messages: 1002 }));
  }
  t.strictSame([await find('umbrella'), await find('parcel')], [1, 49]);
  const { conversationId } = (await chat.say('A parcel')).metadata;
  await turns.run(conversationId, async (turn) => turn.change({ messages: 1002 }));
  t.strictSame([await find('umbrella'), await find('parcel')], [0, 50], 'beyond 50,000 newer messages');
});
