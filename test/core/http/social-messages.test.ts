import { newEvent } from '../../../core/channels/new-event.js';
import type { ChannelEvent } from '../../../core/ports/channel.port.js';
import { ModelBusy } from '../../../core/ports/model.port.js';
import type { EventRow } from '../../../core/ports/store/channels/channel-flow.js';
import { refused } from '../../support/api-client.js';
import { signed } from '../../support/fake-platform.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { type Delivery, peopleOf, startSocialService } from '../../support/social.js';
import { until } from '../../support/until.js';

interface State {
  paused: boolean;
  pausedUntil: number | null;
  writableUntil: number | null;
}

const HOUR_MS = 3_600_000;
const POST = '17900';

await onEachEngine(
  'messages, comments and stories of the social channel',
  async (t, engine) => {
    const answerer = scriptedAnswerer();
    let offsetMs = 0;
    let stoppedAtMs: number | null = null;
    const clock = { now: () => stoppedAtMs ?? Date.now() + offsetMs };
    const settings = { channels: { gatherMs: 50 } };
    const social = await startSocialService(t, engine, { answerer, clock, settings });
    const { platform, service, api, agent, beside } = social;
    const other = await beside();
    platform.hooks.push(`${other.baseUrl}/hooks/social`);

    const { deliveries, exported, said, receives } = peopleOf(social);

    await t.test('the hook answers only the platform', async (t) => {
      const hook = platform.hooks[0] ?? '';
      const query = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.verify_token': platform.options.verifyToken,
        'hub.challenge': '1158201444',
      });
      const verified = await fetch(`${hook}?${query}`);
      t.equal(await verified.text(), '1158201444');
      t.match(verified.headers.get('content-type'), /^text\/plain/);
      query.set('hub.verify_token', 'wrong');
      const wrong = await fetch(`${hook}?${query}`);
      t.strictSame([wrong.status, await wrong.text()], [403, '']);

      const raw = Buffer.from(JSON.stringify(platform.event.message('0', '1', 'test')));
      const post = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
        (await fetch(hook, { method: 'POST', body, headers })).status;
      const headers = signed(raw, platform.options.appSecret);
      t.equal(await post(raw, headers), 200, 'an unknown account');
      for (const at of [0, raw.length - 1]) {
        const flipped = Buffer.from(raw);
        flipped[at] = (flipped[at] ?? 0) ^ 1;
        t.equal(await post(flipped, headers), 403, 'one bit');
      }
      t.equal(await post(Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 1)), headers), 403);
      t.equal(await post(raw, { 'content-type': 'application/json' }), 403, 'no signature');
      t.equal(await post(raw, { ...headers, 'x-hub-signature-256': 'sha256=abc' }), 403);
      const noJson = Buffer.from('no json');
      t.equal(await post(noJson, signed(noJson, platform.options.appSecret)), 400);
      const big = Buffer.alloc(4 * 1024 * 1024 + 1, 32);
      t.equal(await post(big, signed(big, platform.options.appSecret)), 413);
    });

    await t.test('messages are gathered, answered once, and kept in one conversation', async (t) => {
      const one = await agent('500');
      answerer.play(says('**Nine** to five [1].\n\n', 'See [our page](https://acme.com/hours).'));
      const events = ['Hello', 'when are you open?', 'Today?'].map((text) =>
        platform.event.message('500', '9', text),
      );
      // Every event 50 times, shuffled over two processes.
      const repeated = Array.from({ length: 50 }, () => events).flat();
      for (let n = repeated.length - 1; n > 0; n--) {
        const other = Math.floor(Math.random() * (n + 1));
        [repeated[n], repeated[other]] = [repeated[other] as object, repeated[n] as object];
      }
      // Nothing is due before all of them have arrived.
      stoppedAtMs = clock.now();
      const statuses = await Promise.all(repeated.map((event) => platform.deliver(event)));
      stoppedAtMs = null;
      t.ok(statuses.every((status) => status === 200));
      await receives(one, '9', 1);
      t.strictSame(platform.received('500', '9'), ['Nine to five.\n\nSee our page: https://acme.com/hours.']);
      const before = await said(one, '9');
      t.equal(before.filter((line) => line.startsWith('user')).length, 3);
      t.equal(before.filter((line) => line.startsWith('assistant')).length, 1);
      answerer.play(says('Yes.'));
      await platform.write('500', '9', 'And on Sunday?');
      await receives(one, '9', 2);
      t.equal((await exported(one, '9')).length, 1, 'one conversation');
      t.strictSame((await said(one, '9')).slice(-2), ['user: And on Sunday?', 'assistant: Yes.']);
      await until('the end of the sends', async () =>
        (await deliveries(one)).every(({ status, kind }) => status === 'sent' && kind === 'answer'),
      );
      t.equal((await platform.deliver(events[0] as object)) === 200, true);
    });

    await t.test('pictures alone get our sentence, and taps speak for the person', async (t) => {
      const one = await agent('510');
      await platform.write('510', '1', '', { attachments: [{ type: 'image' }] });
      await receives(one, '1', 1);
      t.match(platform.received('510', '1')[0], /cannot open pictures/);
      answerer.play(says('We are open.'));
      await platform.deliver(platform.event.tap('510', '1', 'When are you open?'));
      await receives(one, '1', 2);
      t.strictSame((await said(one, '1')).slice(-2), ['user: When are you open?', 'assistant: We are open.']);
    });

    await t.test('a long answer is cut, in order', async (t) => {
      const one = await agent('520');
      answerer.play(says(Array.from({ length: 300 }, (_, n) => `Sentence ${n} 👩‍👩‍👧.`).join(' ')));
      await platform.write('520', '1', 'All of it, please');
      await receives(one, '1', 5);
      const texts = platform.received('520', '1');
      t.equal(texts.length, 5);
      t.ok(texts.every((text) => Buffer.byteLength(text) <= 1000 && text.endsWith('.')));
      t.match(texts[0], /^Sentence 0 /);
      const numbers = texts.flatMap((text) =>
        [...text.matchAll(/Sentence (\d+)/g)].map(([, n]) => Number(n)),
      );
      t.strictSame(
        numbers,
        numbers.toSorted((a, b) => a - b),
        'in order',
      );
    });

    await t.test('comments get one private reply per person and post', async (t) => {
      const one = await agent('600');
      const live = { type: 'comment_to_dm', status: 'live' };
      await api.post(one.at('/automations'), {
        ...live,
        name: 'Price',
        postScope: 'specific',
        postId: POST,
        keywords: ['price', 'how much'],
        message: 'Our prices',
      });
      await api.post(one.at('/automations'), {
        ...live,
        name: 'Any',
        postScope: 'any',
        keywords: ['HELLO'],
        message: 'Hi',
      });
      const comment = (person: string, text: string) =>
        platform.deliver(platform.event.comment('600', person, POST, text));
      await comment('1', 'What is the ＰＲＩＣＥ?');
      await comment('1', 'The price, please!');
      await comment('2', 'Hello there');
      await comment('3', 'Pricey, nothing to match');
      const own = platform.event.comment('600', '600', POST, 'price');
      await platform.deliver(own);
      await receives(one, '1', 1);
      await receives(one, '2', 1);
      await until(
        'the end of all events',
        async () => (await service.store.channelFlow.oldestWaiting()) === null,
      );
      t.strictSame(platform.received('600', '1'), ['Our prices']);
      t.strictSame(platform.received('600', '2'), ['Hi']);
      t.strictSame(platform.received('600', '3'), []);
      await until('the conversation', async () => (await said(one, '1')).length === 1);
      // The reply is an own message, so the agent still answers.
      answerer.play(says('Of course.'));
      await platform.write('600', '1', 'Thanks, one question');
      await receives(one, '1', 2);
      t.strictSame(await said(one, '1'), [
        'assistant: Our prices',
        'user: Thanks, one question',
        'assistant: Of course.',
      ]);
      const agentPath = `/agents/${one.id}`;
      for (const word of ['prices', 'thanks', 'course']) {
        const { body } = await api.get<{ data: object[] }>(`${agentPath}/conversations?q=${word}`);
        t.equal(body.data.length, 1, `the search finds ${word}`);
      }
      const { body } = await api.get<{ days: { conversations: number }[] }>(`${agentPath}/statistics`);
      t.equal(
        body.days.reduce((sum, { conversations }) => sum + conversations, 0),
        2,
        'conversations count',
      );
    });

    await t.test('a reply to a story is answered by its automation, or by the agent', async (t) => {
      const one = await agent('610');
      await api.post(one.at('/automations'), {
        type: 'story_leads',
        status: 'live',
        name: 'Story',
        storyScope: 'any',
        keywords: ['info'],
        message: 'The brochure',
      });
      const reply = (text: string) =>
        platform.write('610', '1', text, { reply_to: { story: { id: '18000' } } });
      await reply('Info please');
      await receives(one, '1', 1);
      answerer.play(says('An answer of the agent'));
      await reply('More info');
      await receives(one, '1', 2);
      t.strictSame(platform.received('610', '1'), ['The brochure', 'An answer of the agent']);
    });

    await t.test('a person takes over by answering, and hands back', async (t) => {
      const one = await agent('700');
      answerer.play(says('I am the agent.'));
      await platform.write('700', '1', 'Hello?');
      await receives(one, '1', 1);
      await platform.answerByHand('700', '1', 'Ada here');
      await until('the message of the person', async () =>
        (await said(one, '1')).includes('assistant: Ada here'),
      );
      await platform.write('700', '1', 'Hello Ada');
      await until('the stored message', async () => (await said(one, '1')).includes('user: Hello Ada'));
      const [conversation] = await exported(one, '1');
      const path = one.at(`/conversations/${conversation?.id}`);
      const write = () =>
        api.post<Delivery>(
          `${path}/messages`,
          { text: 'Written in Cadre' },
          { headers: { 'idempotency-key': 'once' } },
        );
      const [own] = await Promise.all([write(), write(), write()]);
      t.equal(own.status, 202, own.text);
      t.match(own.body, { kind: 'human', conversationId: conversation?.id });
      await receives(one, '1', 3);
      const state = async () => (await api.get<State>(path)).body;
      const { paused, pausedUntil, writableUntil } = await state();
      t.ok(paused);
      const day = Date.now() / 1000 + 86_400;
      t.ok(Math.abs((pausedUntil ?? 0) - day) < 120, 'the agent is silent for a day');
      t.ok(Math.abs((writableUntil ?? 0) - day) < 120, 'the platform accepts messages for a day');
      t.strictSame((await api.patch(path, { paused: false })).body, { paused: false });
      t.match(await state(), { paused: false, pausedUntil: null });
      answerer.play(says('The agent again.'));
      await platform.write('700', '1', 'And now?');
      await receives(one, '1', 4);
      t.strictSame(platform.received('700', '1'), [
        'I am the agent.',
        'Ada here',
        'Written in Cadre',
        'The agent again.',
      ]);
      // The team may write to a person first.
      await platform.answerByHand('700', '2', 'May I help you?');
      await until('a conversation', async () => (await said(one, '2')).length === 1);
      await platform.write('700', '2', 'Yes, please');
      await until('the answer', async () => (await said(one, '2')).length === 2);
      t.strictSame(await said(one, '2'), ['assistant: May I help you?', 'user: Yes, please']);
      t.strictSame((await api.patch(path, { paused: true })).body, { paused: true });
      t.match(await state(), { paused: true, pausedUntil: null });
      await platform.write('700', '1', 'Anybody?');
      await until('the last message', async () => (await said(one, '1')).includes('user: Anybody?'));
      t.equal(platform.received('700', '1').length, 4);
      t.strictSame((await api.delete(path)).body, { deleted: true });
      refused(t, await api.delete(path), 404, 'RESOURCE_NOT_FOUND');
      refused(t, await api.get(path), 404, 'RESOURCE_NOT_FOUND');
      t.strictSame(await exported(one, '1'), []);
    });

    await t.test('what arrives while platform and model are away is answered later', async (t) => {
      const accounts = Array.from({ length: 5 }, (_, n) => String(1000 + n));
      const people = Array.from({ length: 6 }, (_, n) => String(n));
      const agents = await Promise.all(accounts.map((account) => agent(account)));
      answerer.play(says('Here I am again.'));
      answerer.refusal = new ModelBusy();
      const statuses = await Promise.all(
        accounts.flatMap((account) => people.map((person) => platform.write(account, person, 'Anybody?'))),
      );
      t.ok(
        statuses.every((status) => status === 200),
        'all are acknowledged',
      );
      // A retry that the platform refuses is sure not to have sent anything.
      platform.fail(
        /POST .*messages$/,
        ...Array.from({ length: 3 }, () => ({ does: 'refuse', code: 4 }) as const),
      );
      offsetMs += 10_000;
      answerer.refusal = null;
      // The clock must not jump while messages are being sent: their leases would end.
      await until('all answers but those of resting accounts', async () => {
        const rows = await Promise.all(agents.map(deliveries));
        return rows.every(
          (some) =>
            some.length === people.length &&
            some.every(({ status }) => status === 'sent' || status === 'waiting') &&
            (some.every(({ status }) => status === 'sent') ||
              some.some(({ error }) => error?.code === 'RATE_LIMITED')),
        );
      });
      offsetMs += 3_600_000;
      await until('all answers', () =>
        accounts.every((account) =>
          people.every((person) => platform.received(account, person).length === 1),
        ),
      );
      t.strictSame(
        accounts.flatMap((account) => people.map((person) => platform.received(account, person).length)),
        Array(30).fill(1),
      );
    });

    await t.test('a message whose attempts died is given up, with our sentence', async (t) => {
      const one = await agent('950');
      answerer.play(says('I am the agent.'));
      await platform.answerByHand('950', '2', 'I take care of it');
      await until('the take-over', async () => (await said(one, '2')).length === 1);
      const nowMs = clock.now();
      const died = (personId: string, tries: number): EventRow => {
        const event: ChannelEvent = {
          accountId: '950',
          key: `died-${personId}`,
          personId,
          at: Math.floor(nowMs / 1000),
          kind: 'message',
          messageId: `m-${personId}`,
          text: 'Is anybody there?',
          attachments: [],
          storyId: null,
        };
        return { ...newEvent(event, one.id, nowMs), attempts: tries, tries, firstTryAtMs: nowMs };
      };
      await service.store.channelFlow.accept([died('1', 4), died('2', 3), died('3', 10)]);
      await receives(one, '1', 1);
      t.match(platform.received('950', '1')[0], /not available/);
      t.match((await said(one, '1')).join('\n'), /^user: Is anybody there\?\nassistant: .*not available/);
      await until('the message to a human', async () => (await said(one, '2')).length === 2);
      t.strictSame(await said(one, '2'), ['assistant: I take care of it', 'user: Is anybody there?']);
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.strictSame(await said(one, '3'), [], 'a message that could not be given up is not stored again');
    });

    await t.test('old events do nothing, at any age', async (t) => {
      const one = await agent('900');
      platform.now = () => clock.now() - 25 * HOUR_MS;
      await platform.write('900', '1', 'From yesterday');
      platform.now = clock.now;
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.strictSame(await exported(one, '1'), []);
    });

    const logged = JSON.stringify([service.logged, other.logged]);
    t.notMatch(logged, /upstream text|token-of/);
  },
  { atOnce: true },
);
