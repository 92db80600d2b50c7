import { ModelBusy } from '../../../core/ports/model.port.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { peopleOf, type SocialAgent, startSocialService } from '../../support/social.js';
import { until } from '../../support/until.js';

const SEND = /POST .*messages$/;
const POST = '17900';
const DAY_MS = 86_400_000;

const anyComment = { type: 'comment_to_dm', status: 'live', name: 'Any', postScope: 'any', message: 'Hi' };

await onEachEngine(
  'messages of the social channel whose sending is interrupted',
  async (t, engine) => {
    const answerer = scriptedAnswerer(says('An answer'));
    let offsetMs = 0;
    const clock = { now: () => Date.now() + offsetMs };
    const social = await startSocialService(t, engine, {
      answerer,
      clock,
      settings: { channels: { gatherMs: 0 } },
    });
    const { platform, api, agent, service } = social;
    const { deliveries, exported, said, receives, ends } = peopleOf(social);

    /** The person writes, and the platform does not answer the call that sends the answer. */
    async function hangs(one: SocialAgent, person: string, after: boolean): Promise<string> {
      const before = platform.calls.length;
      platform.fail(SEND, { does: 'hang', after });
      await platform.write(one.accountId, person, 'Hello');
      await until('the call', () => platform.calls.slice(before).some((call) => SEND.test(call)));
      const [conversation] = await exported(one, person);
      return one.at(`/conversations/${conversation?.id}`);
    }
    /** The connection breaks, and the time comes to look at the thread. */
    async function breaks(one: SocialAgent): Promise<void> {
      platform.dropHanging();
      await until('the unclear end', async () =>
        (await deliveries(one)).some(({ error }) => error?.code === 'NETWORK'),
      );
      offsetMs += 6000;
    }
    const statuses = async (one: SocialAgent) => (await deliveries(one)).map(({ status }) => status);

    await t.test('what was being sent is not sent again after a take-over', async (t) => {
      const one = await agent('100');
      platform.echoes = false;
      const takeOvers: [string, (path: string, person: string) => Promise<unknown>, string[]][] = [
        ['1', (path) => api.patch(path, { paused: true }), []],
        ['2', (path) => api.post(`${path}/messages`, { text: 'I am a human' }), ['I am a human']],
      ];
      for (const [person, takeOver, received] of takeOvers) {
        const path = await hangs(one, person, false);
        await takeOver(path, person);
        await breaks(one);
        await until('the end', async () => (await statuses(one)).includes('cancelled'));
        await until('all ends', async () =>
          (await statuses(one)).every((status) => ['sent', 'cancelled'].includes(status)),
        );
        t.strictSame(platform.received('100', person), received);
        await api.delete(path);
      }
      await hangs(one, '3', false);
      await platform.answerByHand('100', '3', 'A human, too');
      // The echo is looked at again while a message is being sent. The clock must not pass the lease of that message.
      await until('the message of the person', async () => {
        offsetMs += 100;
        return (await said(one, '3')).includes('assistant: A human, too');
      });
      await breaks(one);
      await ends(one, 'cancelled');
      t.strictSame(platform.received('100', '3'), ['A human, too']);
      // A message that has arrived counts as sent.
      const path = await hangs(one, '4', true);
      await api.patch(path, { paused: true });
      await breaks(one);
      await ends(one, 'sent');
      platform.echoes = true;
    });

    await t.test('a human may write again before the first message is sent', async (t) => {
      const one = await agent('105');
      platform.echoes = true;
      await platform.write('105', '1', 'Hello');
      await receives(one, '1', 1);
      const [conversation] = await exported(one, '1');
      const path = one.at(`/conversations/${conversation?.id}`);
      platform.fail(SEND, { does: 'refuse', code: 4 });
      await api.post(`${path}/messages`, { text: 'One moment' });
      await until('the refusal', async () =>
        (await deliveries(one)).some(({ error }) => error?.code === 'RATE_LIMITED'),
      );
      await api.post(`${path}/messages`, { text: 'I look it up' });
      await api.patch(path, { paused: true });
      offsetMs += 61_000;
      await receives(one, '1', 3);
      t.strictSame(platform.received('105', '1').slice(1), ['One moment', 'I look it up']);
    });

    await t.test('what was being sent is not sent again after a disconnection', async (t) => {
      const one = await agent('110');
      platform.echoes = false;
      await hangs(one, '1', false);
      await api.delete(one.at());
      await api.post(one.at(), { accessToken: one.token });
      await breaks(one);
      await ends(one, 'cancelled');
      t.strictSame(platform.received('110', '1'), []);
      platform.echoes = true;
    });

    await t.test('a refused token seen while looking at a thread needs a new connection', async (t) => {
      const one = await agent('120');
      platform.echoes = false;
      await hangs(one, '1', true);
      platform.fail(/GET .*conversations$/, { does: 'refuse', status: 401, code: 190 });
      await breaks(one);
      await until('the reconnect', async () => {
        const { body } = await api.get<{ status: string }>(one.at());
        return body.status === 'reconnect_required';
      });
      offsetMs += 60_000;
      await ends(one, 'unconfirmed');
      t.equal(platform.received('120', '1').length, 1);
      platform.echoes = true;
    });

    await t.test('looks at a thread become rarer, and rest with the account', async (t) => {
      const one = await agent('130');
      platform.echoes = false;
      await hangs(one, '1', true);
      const looks = () => platform.calls.filter((call) => call.endsWith('/130/conversations')).length;
      platform.fail(/GET .*130.conversations$/, ...Array(4).fill({ does: 'refuse', status: 500, code: 2 }));
      platform.fail(/GET .*130.conversations$/, { does: 'refuse', code: 4 });
      await breaks(one);
      const pauses: number[] = [];
      for (let n = 1; n <= 5; n++) {
        await until(`look ${n}`, () => looks() === n);
        const row = await until('the next look', async () => {
          const [delivery] = await deliveries(one);
          const found = await service.store.channelFlow.outgoing(one.id, delivery?.id ?? '');
          // While it looks, the row has a lease of 30 s.
          return found?.error?.upstreamCode === (n === 5 ? 4 : 2) && found;
        });
        await until('the end of the look', async () => {
          const found = await service.store.channelFlow.outgoing(one.id, row.id);
          const pause = (found?.dueAtMs ?? 0) - clock.now();
          if (n > 1 && pause < 0) return false;
          pauses[n - 1] = pause;
          return true;
        });
        if (n === 4) t.ok((pauses[3] ?? 0) > 2 * (pauses[0] ?? 0), `pauses ${pauses}`);
        if (n < 5) offsetMs += Math.max(0, pauses[n - 1] ?? 0) + 100;
      }
      const connection = await service.store.channels.connection(one.id);
      t.ok((connection?.restUntilMs ?? 0) > clock.now() + 30_000, 'the account rests');
      offsetMs += 120_000;
      await ends(one, 'sent');
      platform.echoes = true;
    });

    await t.test('a private reply belongs to the conversation of its person', async (t) => {
      const one = await agent('200');
      await api.post(one.at('/automations'), anyComment);
      const comment = (person: string) =>
        platform.deliver(platform.event.comment('200', person, POST, 'Hello'));
      await comment('1');
      await receives(one, '1', 1);
      const { conversationId } = await ends(one, 'sent');
      t.ok(conversationId);
      t.equal((await exported(one, '1'))[0]?.id, conversationId);
      t.equal((await api.delete(one.at(`/conversations/${conversationId}`))).status, 200);
      t.strictSame(await deliveries(one), [], 'it is deleted with the conversation');

      // A failed one may be repeated.
      platform.fail(SEND, { does: 'refuse', code: 551 });
      await comment('2');
      await ends(one, 'failed');
      await comment('2');
      await receives(one, '2', 1);
      await ends(one, 'sent');
      await comment('2');
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.equal((await deliveries(one)).length, 2);
      // Also after its message was deleted.
      offsetMs += 31 * DAY_MS;
      while ((await service.store.channelFlow.forget({ events: 0, messages: clock.now() / 1000 }, 100)) > 0);
      t.strictSame(await deliveries(one), []);
      await comment('2');
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.strictSame(await deliveries(one), []);
      t.strictSame(platform.received('200', '2'), ['Hi']);
    });

    await t.test('a person who was deleted stays deleted', async (t) => {
      const one = await agent('210');
      await api.post(one.at('/automations'), {
        ...{ type: 'comment_to_dm', status: 'live', name: 'Any', postScope: 'any', message: 'Prices' },
      });
      const meets = async (person: string) => {
        await platform.write('210', person, 'Hello');
        await ends(one, 'sent');
        const [known] = await exported(one, person);
        return one.at(`/conversations/${known?.id}`);
      };
      const rest = async () =>
        until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      const echoed = await meets('1');
      const [delivery] = await deliveries(one);
      await api.delete(echoed);
      const echo = {
        id: 'm_late',
        text: 'An answer',
        isFromAccount: true,
        metadata: delivery?.id ?? null,
        atMs: clock.now(),
      };
      await platform.deliver(platform.event.echo('210', '1', echo));
      await rest();
      t.strictSame(await exported(one, '1'), [], 'its late echo is no human');

      const commented = await meets('2');
      platform.fail(SEND, { does: 'refuse', code: 613 });
      await platform.deliver(platform.event.comment('210', '2', POST, 'Hello'));
      await until('the reply', async () => (await statuses(one)).includes('waiting'));
      await api.delete(commented);
      t.strictSame(await deliveries(one), [], 'a reply that waits is deleted, too');
    });

    await t.test('a deletion leaves the rows of another agent that has the account now', async (t) => {
      platform.heal();
      const former = await agent('220');
      await platform.write('220', '1', 'Hello');
      await ends(former, 'sent');
      const [known] = await exported(former, '1');
      await api.post(former.at(), { accessToken: platform.account('221').token });

      const next = await agent('220');
      await api.post(next.at('/automations'), anyComment);
      const comment = () => platform.deliver(platform.event.comment('220', '1', POST, 'Hello'));
      await comment();
      await ends(next, 'sent');
      // The message waits until the model is back.
      answerer.refusal = new ModelBusy();
      await platform.write('220', '1', 'And now?');
      t.equal((await api.delete(former.at(`/conversations/${known?.id}`))).status, 200);
      answerer.refusal = null;
      offsetMs += 10_000;
      // The thread of the person has the answer to the former agent, too.
      await receives(next, '1', 3);
      t.strictSame(await said(next, '1'), ['assistant: Hi', 'user: And now?', 'assistant: An answer']);
      await comment();
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.equal((await deliveries(next)).length, 2, 'the person has had the reply');
    });
  },
  { atOnce: true },
);
