import { body } from '../../support/api-client.js';
import { concluding } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { streamingChat } from '../../support/streaming-chat.js';

interface Home {
  checklist: { id: string; done: boolean }[];
  today: Record<string, number>;
  days: { answered: number }[];
}

await onEachEngine('the home of an agent shows what it needs, and what needs a person', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const home = () => body(api.get<Home>(chat.at('/home')));
  const done = async () =>
    Object.fromEntries((await home()).checklist.map((item) => [item.id, item.done] as const));
  t.strictSame(await done(), { sources: false, answer: false, published: false, notified: false });
  t.strictSame((await home()).today, { unanswered: 0, negative: 0, failures: 0, waiting: 0 });

  await body(api.post(chat.at('/sources/text'), { title: 'Hours', content: 'Open from nine to five.' }));
  answerer.play(concluding('answered'));
  const { id, metadata } = await chat.say('When are you open?');
  await body(
    api.patch(chat.at(`/conversations/${metadata.conversationId}/messages/${id}/feedback`), {
      feedback: 'negative',
    }),
  );
  answerer.play(concluding('unanswered'));
  await chat.say('Where are you?');
  await body(api.patch(chat.at('/settings/share'), { enabled: true }));
  await body(api.post('/webhooks', { url: 'https://hooks.example.com' }));

  t.strictSame(await done(), { sources: true, answer: true, published: true, notified: true });
  t.match((await home()).today, { unanswered: 1, negative: 1, failures: 0, waiting: 0 });
  const { days } = await home();
  t.equal(days.length, 30);
  t.equal(days.at(-1)?.answered, 1);
  await body(api.post(chat.at('/questions/resolve'), { question: 'Where are you?' }));
  t.match((await home()).today, { unanswered: 0 }, 'a resolved one needs nobody');
});
