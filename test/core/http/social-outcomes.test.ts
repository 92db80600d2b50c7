import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { gate, says, saysAround, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { peopleOf, type SocialAgent, startSocialService } from '../../support/social.js';
import { tablesWith } from '../../support/tables-with.js';
import { until } from '../../support/until.js';

const SEND = /POST .*messages$/;
const THREAD = /GET .*conversations$/;

/** A paragraph that fills a message of the platform. */
const paragraph = (word: string): string => `${word} `.repeat(Math.ceil(900 / word.length)).slice(0, 900);
const parts = ['First', 'Second', 'Third'].map(paragraph);

await onEachEngine(
  'outcomes of messages of the social channel',
  async (t, engine) => {
    let offsetMs = 0;
    const clock = { now: () => Date.now() + offsetMs };
    const answerer = scriptedAnswerer();
    const social = await startSocialService(t, engine, {
      answerer,
      clock,
      settings: { channels: { gatherMs: 0 } },
    });
    const { platform, api, agent, service } = social;
    const { deliveries, exported, said, receives } = peopleOf(social);

    const allEnd = async (one: SocialAgent, count: number) =>
      until(`${count} ended deliveries`, async () => {
        const rows = await deliveries(one);
        return rows.length === count && rows.every(({ status }) => !['waiting', 'sending'].includes(status));
      });

    await t.test('no part of an answer is sent after a failed one', async (t) => {
      answerer.play(says(parts.join('\n\n')));
      platform.refusedText = /^Second/;
      const agents = await Promise.all(['100', '101', '102'].map((account) => agent(account)));
      const people = Array.from({ length: 10 }, (_, n) => String(n + 1));
      await Promise.all(
        agents.flatMap(({ accountId }) => people.map((person) => platform.write(accountId, person, 'Hello'))),
      );
      for (const one of agents) {
        await allEnd(one, 3 * people.length);
        const rows = await deliveries(one);
        const withStatus = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
        t.strictSame(['sent', 'failed', 'cancelled'].map(withStatus), [10, 10, 10]);
        for (const person of people) t.equal(platform.received(one.accountId, person).length, 1);
      }
      platform.refusedText = null;
    });

    await t.test('an echo is ours only with the id of a message to its person', async (t) => {
      answerer.play(says('An answer'));
      const [one, other] = [await agent('200'), await agent('201')];
      for (const [{ accountId }, person] of [
        [one, '1'],
        [one, '2'],
        [other, '3'],
      ] as const) {
        await platform.write(accountId, person, 'Hello');
      }
      await receives(one, '1', 1);
      await receives(one, '2', 1);
      await receives(other, '3', 1);
      const conversationOf = async (person: string) => (await exported(one, person))[0]?.id;
      const second = await conversationOf('2');
      const toAnother = (await deliveries(one)).find(({ conversationId }) => conversationId === second)?.id;
      const [ofAnother] = await deliveries(other);
      const ids = [uuidv4(), uuidv7(), toAnother, ofAnother?.id];
      for (const [n, id] of ids.entries()) {
        const text = `Human ${n}`;
        const message = {
          id: `m_human${n}`,
          text,
          isFromAccount: true,
          metadata: id ?? '',
          atMs: clock.now(),
        };
        await platform.deliver(platform.event.echo('200', '1', message));
        await until(`the words with ${id}`, async () => {
          offsetMs += 100;
          return (await said(one, '1')).includes(`assistant: ${text}`);
        });
      }
      const { body } = await api.get<{ paused: boolean }>(
        one.at(`/conversations/${await conversationOf('1')}`),
      );
      t.equal(body.paused, true);
      await platform.write('200', '1', 'Thank you');
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.equal(platform.received('200', '1').length, 1, 'the agent is silent');
    });

    await t.test('the answers behind a message are sent if its outcome cannot be read', async (t) => {
      answerer.play(says('An answer'), says('Another answer'));
      const one = await agent('300');
      platform.echoes = false;
      platform.fail(SEND, { does: 'cut', after: true });
      await platform.write('300', '1', 'Hello');
      await until('the unclear end', async () => (await deliveries(one))[0]?.error?.code === 'NETWORK');
      platform.fail(THREAD, { does: 'refuse', status: 403, code: 10 });
      await platform.write('300', '1', 'And another question');
      offsetMs += 6000;
      await allEnd(one, 2);
      t.strictSame(
        (await deliveries(one)).map(({ status }) => status),
        ['sent', 'unconfirmed'],
      );
      platform.echoes = true;
    });

    await t.test('what waits for a person of a former account ends as cancelled', async (t) => {
      const one = await agent('400');
      answerer.play(says('An answer'));
      await platform.write('400', '1', 'Hello');
      await receives(one, '1', 1);
      const [known] = await exported(one, '1');
      const waiting = gate();
      answerer.play(saysAround('', waiting, 'Too late'));
      await platform.write('400', '1', 'And now?');
      await waiting.reached;
      const { token } = platform.account('401');
      t.equal((await api.post(one.at(), { accessToken: token })).status, 200);
      waiting.open();
      const human = await api.post<{ id: string; status: string }>(
        one.at(`/conversations/${known?.id}/messages`),
        { text: 'Are you still there?' },
      );
      t.match(human, { status: 202, body: { status: 'cancelled' } });
      await until('the end of the answer', async () => {
        const { body } = await api.get<{ status: string }>(`/agents/${one.id}/conversations/${known?.id}`);
        return body !== null && (await deliveries(one)).every(({ status }) => status !== 'waiting');
      });
      // With the former account again, nothing of that is sent.
      t.equal((await api.post(one.at(), { accessToken: one.token })).status, 200);
      answerer.play(says('Here I am'));
      await api.patch(one.at(`/conversations/${known?.id}`), { paused: false });
      await platform.write('400', '1', 'Hello again');
      await receives(one, '1', 2);
      t.strictSame(platform.received('400', '1'), ['An answer', 'Here I am']);
    });

    await t.test('a deleted conversation leaves nothing of its person', async (t) => {
      const person = '77001122334455';
      answerer.play(says('An answer'));
      const one = await agent('500');
      await api.patch(`/agents/${one.id}/settings/security`, {
        rateLimit: { maxMessages: 10, windowSeconds: 60, limitMessage: 'Wait' },
      });
      await platform.write('500', person, 'Hello');
      await receives(one, person, 1);
      const [known] = await exported(one, person);
      t.ok((await tablesWith(service.databaseUrl, person)).length > 0);
      await until('the echo', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      await api.delete(one.at(`/conversations/${known?.id}`));
      t.strictSame(await tablesWith(service.databaseUrl, person), []);
    });
  },
  { atOnce: true },
);
