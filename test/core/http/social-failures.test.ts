import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { newEvent } from '../../../core/channels/new-event.js';
import type { EventRow } from '../../../core/ports/store/channels/channel-flow.js';
import type { Fault } from '../../support/fake-platform.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { type Delivery, peopleOf, type SocialAgent, startSocialService } from '../../support/social.js';
import { until } from '../../support/until.js';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const POST = '17900';

/** A refusal of the platform: its code, subcode and HTTP status. */
type Refusal = [code: number, subcode?: number, status?: number];

/** Refusals that end a delivery, by its status and code. */
const ends: Record<string, Refusal[]> = {
  'expired WINDOW_CLOSED': [
    [10, 2534022],
    [10, 2018278],
  ],
  'failed RECIPIENT_UNAVAILABLE': [[551], [100, 2018001], [100, 2534014]],
  'failed INVALID_CONTENT': [[100]],
  'failed PERMISSION_MISSING': [[3], [10], [200], [299]],
  'failed TOKEN_INVALID': [
    [102, undefined, 401],
    [190, undefined, 401],
  ],
  'failed UNKNOWN': [[12345]],
};

/** Refusals after which a delivery is tried again, with the code and the rest of the account. */
const rests: [code: string, restMs: number, refusals: Refusal[]][] = [
  ['RATE_LIMITED', 60_000, [[4], [17], [32], [613], [80002], [80006], [80007], [0, undefined, 429]]],
  ['BLOCKED', HOUR_MS, [[368]]],
];

/** Unclear ends: the message may have been sent. */
const unclear: [code: string, fault: Fault][] = [
  ['PLATFORM_UNAVAILABLE', { does: 'refuse', status: 400, code: 1 }],
  ['PLATFORM_UNAVAILABLE', { does: 'refuse', status: 400, code: 2 }],
  ['PLATFORM_UNAVAILABLE', { does: 'refuse', status: 503, code: 0 }],
  ['NETWORK', { does: 'cut', after: true }],
  ['NETWORK', { does: 'cut', after: false }],
  ['TIMEOUT', { does: 'hang', after: true }],
];

/** An event that is not due for a day. */
function eventRow({ id, accountId }: SocialAgent, n: number, nowMs: number): EventRow {
  const event = { accountId, key: `event ${n}`, personId: String(n), at: 0, kind: 'tap', text: 'x' } as const;
  return { ...newEvent(event, id, nowMs), dueAtMs: nowMs + DAY_MS };
}

await onEachEngine(
  'failures of the social platform',
  async (t, engine) => {
    let offsetMs = 0;
    const clock = { now: () => Date.now() + offsetMs };
    const social = await startSocialService(t, engine, {
      answerer: scriptedAnswerer(says('An answer')),
      clock,
      settings: { channels: { gatherMs: 0 } },
    });
    const { platform, api, agent, service, beside } = social;
    platform.echoes = false;
    const { deliveries } = peopleOf(social);
    let accounts = 100;

    const newest = async (one: SocialAgent): Promise<Delivery | undefined> => (await deliveries(one))[0];
    const refuse = ([code, subcode, status]: Refusal): Fault => ({
      does: 'refuse',
      code,
      ...(subcode === undefined ? {} : { subcode }),
      ...(status === undefined ? {} : { status }),
    });
    /** A new account whose next send fails so; a person has written to it. */
    async function failing(fault: Fault): Promise<SocialAgent> {
      const one = await agent(String(accounts++));
      platform.fail(new RegExp(`POST .*/${one.accountId}/messages$`), fault);
      await platform.write(one.accountId, '1', 'Hello');
      return one;
    }
    const sends = ({ accountId }: SocialAgent): number =>
      platform.calls.filter((call) => call.endsWith(`POST /v24.0/${accountId}/messages`)).length;
    const outcome = (one: SocialAgent, wanted: string) =>
      until(`${wanted} of ${one.accountId}`, async () => {
        const row = await newest(one);
        return row && `${row.status} ${row.error?.code ?? ''}`.trim() === wanted && row;
      });
    const stateOf = async ({ at }: SocialAgent) =>
      (await api.get<{ status: string; reconnectReason: string | null }>(at())).body;

    await t.test('refusals that end a delivery', async (t) => {
      const all = Object.entries(ends).flatMap(([wanted, refusals]) =>
        refusals.map((refusal) => ({ wanted, refusal })),
      );
      await Promise.all(
        all.map(async ({ wanted, refusal }) => {
          const one = await failing(refuse(refusal));
          await outcome(one, wanted);
          t.equal(sends(one), 1, `${refusal} is not tried again`);
          const isRefusedToken = wanted.endsWith('TOKEN_INVALID');
          if (isRefusedToken)
            await until('the reconnect', async () => (await stateOf(one)).status === 'reconnect_required');
          else t.match(await stateOf(one), { status: 'connected' });
        }),
      );
    });

    await t.test('a lost permission for messages needs a new connection', async (t) => {
      const one = await agent(String(accounts++));
      const { token } = platform.account(one.accountId, { scopes: ['business_manage_comments'] });
      t.equal(token, one.token);
      platform.fail(new RegExp(`/${one.accountId}/messages$`), refuse([10]));
      await platform.write(one.accountId, '1', 'Hello');
      await outcome(one, 'failed PERMISSION_MISSING');
      await until('the reconnect', async () => (await stateOf(one)).status === 'reconnect_required');
      t.match(await stateOf(one), { reconnectReason: 'PERMISSION_MISSING' });
    });

    await t.test('refusals after which the account rests', async (t) => {
      for (const [code, restMs, refusals] of rests) {
        const some = await Promise.all(refusals.map((refusal) => failing(refuse(refusal))));
        await Promise.all(some.map((one) => outcome(one, `waiting ${code}`)));
        for (const one of some) {
          const row = await service.store.channels.connection(one.id);
          const rest = (row?.restUntilMs ?? 0) - clock.now();
          t.ok(rest > restMs - 30_000 && rest <= restMs, `${one.accountId} rests for ${rest} ms`);
        }
        offsetMs += restMs + SECOND_MS;
        await Promise.all(some.map((one) => outcome(one, 'sent')));
        for (const { accountId } of some) t.strictSame(platform.received(accountId, '1'), ['An answer']);
      }
    });

    await t.test('the thread decides about unclear ends', async (t) => {
      const some = await Promise.all(
        unclear.map(async ([code, fault]) => ({ code, one: await failing(fault) })),
      );
      // A call takes at most 15 s of the machine's time.
      await Promise.all(some.map(({ code, one }) => outcome(one, `sending ${code}`)));
      offsetMs += 6 * SECOND_MS;
      await Promise.all(some.map(({ one }) => outcome(one, 'sent')));
      for (const { one } of some) t.strictSame(platform.received(one.accountId, '1'), ['An answer']);
      platform.dropHanging();
    });

    await t.test('an answer without the thread decides nothing', async (t) => {
      for (const body of ['{}', '{"data":[{"id":"t"}]}']) {
        platform.fail(/GET .*conversations$/, { does: 'answer', body, after: false });
        const one = await failing({ does: 'cut', after: true });
        await outcome(one, 'sending NETWORK');
        const looks = () => platform.calls.filter((call) => /GET .*conversations$/.test(call)).length;
        const before = looks();
        offsetMs += 6 * SECOND_MS;
        await until('the look', () => looks() > before);
        offsetMs += 20 * SECOND_MS;
        await until('the end', async () =>
          ['sent', 'unconfirmed'].includes((await newest(one))?.status ?? ''),
        );
        t.strictSame(platform.received(one.accountId, '1'), ['An answer'], body);
      }
    });

    await t.test('a platform that cannot be reached has certainly sent nothing', async (t) => {
      const one = await agent(String(accounts++));
      const back = await platform.leave();
      await platform.write(one.accountId, '1', 'Hello');
      await outcome(one, 'waiting NETWORK');
      await back();
      offsetMs += 6 * SECOND_MS;
      await outcome(one, 'sent');
      t.equal(sends(one), 1);
    });

    await t.test('nothing is sent while the account has to be connected again', async (t) => {
      const one = await failing(refuse([4]));
      await outcome(one, 'waiting RATE_LIMITED');
      platform.fail(new RegExp(`/${one.accountId}/messenger_profile$`), refuse([190]));
      await api.patch(one.at('/persistent-menu'), { items: [] });
      offsetMs += 61 * SECOND_MS;
      await outcome(one, 'failed RECONNECT_REQUIRED');
      t.equal(sends(one), 1);
      await platform.write(one.accountId, '1', 'Anybody?');
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      await api.post(one.at(), { accessToken: one.token });
      await platform.write(one.accountId, '2', 'Hello again');
      await until('an answer', () => platform.received(one.accountId, '2').length === 1);
      t.strictSame(platform.received(one.accountId, '1'), []);
    });

    await t.test('answers expire with the window, and everything is deleted in time', async (t) => {
      const one = await agent(String(accounts++));
      const comments = await agent(String(accounts++));
      const live = { type: 'comment_to_dm', status: 'live', name: 'Any', postScope: 'any', message: 'Hi' };
      await api.post(comments.at('/automations'), live);
      const comment = (person: string) =>
        platform.deliver(platform.event.comment(comments.accountId, person, POST, 'Hello'));
      for (const { accountId } of [one, comments])
        platform.fail(new RegExp(`/${accountId}/messages$`), ...Array(2).fill(refuse([4])));
      await platform.write(one.accountId, '1', 'Hello');
      await comment('1');
      await Promise.all([one, comments].map((some) => outcome(some, 'waiting RATE_LIMITED')));
      // A reply to a comment may be sent for a week.
      offsetMs += DAY_MS - 30 * SECOND_MS;
      await outcome(one, 'expired WINDOW_CLOSED');
      await until('the second attempt', () => sends(comments) === 2);
      await outcome(comments, 'waiting RATE_LIMITED');
      offsetMs += 6 * DAY_MS;
      await outcome(comments, 'expired WINDOW_CLOSED');
      t.strictSame([sends(one), sends(comments)], [1, 2]);
      // An old comment is skipped.
      platform.now = () => clock.now() - 8 * DAY_MS;
      platform.fail(new RegExp(`/${one.accountId}/messages$`), refuse([4]));
      await comment('2');
      platform.now = clock.now;
      await until('the end', async () => (await service.store.channelFlow.oldestWaiting()) === null);
      t.equal((await deliveries(comments)).length, 1);

      await api.delete(one.at());
      offsetMs += 31 * DAY_MS;
      // A new process sweeps at once.
      await beside();
      await until('the deletions', async () => (await deliveries(comments)).length === 0);
      await until('the deletion', async () => (await service.store.channels.connection(one.id)) === null);
    });

    await t.test('ended events are known for 8 days', async (t) => {
      const one = await agent(String(accounts++));
      const nowMs = clock.now();
      const ended = (n: number, days: number): EventRow => ({
        ...eventRow(one, n, nowMs),
        status: 'done',
        endedAt: Math.floor((nowMs + days * DAY_MS) / 1000),
      });
      const [first, later] = [ended(1, 0), ended(2, 1)];
      const accept = (row: EventRow) => service.store.channelFlow.accept([{ ...row, id: uuidv7() }]);
      t.strictSame([await accept(first), await accept(later)], [1, 1]);
      t.equal(await accept(first), 0, 'a repeated event is known');
      offsetMs += 8 * DAY_MS + MINUTE_MS;
      await beside();
      await until('the deletion', async () => (await accept(first)) === 1);
      t.equal(await accept(later), 0, 'the event of the next day is still known');
    });

    await t.test('webhooks receive one event when a token is refused', async (t) => {
      const one = await failing(refuse([4]));
      await outcome(one, 'waiting RATE_LIMITED');
      const hook = { url: 'https://hooks.acme.com/x', events: ['channel.reconnect_required'] };
      const { id } = (await api.post<{ id: string }>('/webhooks', hook)).body;
      const announced = async () =>
        (await api.get<{ data: object[] }>(`/webhooks/${id}/deliveries`)).body.data.length;
      await platform.write(one.accountId, '2', 'Hello');
      await platform.write(one.accountId, '3', 'Hello');
      await until('three messages', async () => (await deliveries(one)).length === 3);
      const refused = refuse([190, undefined, 401]);
      platform.fail(new RegExp(`/${one.accountId}/messages$`), ...Array(3).fill(refused));
      offsetMs += 61 * SECOND_MS;
      await until('the ends', async () =>
        (await deliveries(one)).every(({ error }) => error?.code === 'TOKEN_INVALID'),
      );
      t.equal(sends(one), 4, 'three calls were refused');
      await api.post(one.at(), { accessToken: one.token });
      platform.fail(new RegExp(`/${one.accountId}/messages$`), refused);
      await platform.write(one.accountId, '4', 'Hello');
      await until('the second event', async () => (await announced()) >= 2);
      t.equal(await announced(), 2, 'one for each refused token');
    });

    await t.test('events are refused while too many wait', (t) => caps(t));

    async function caps(t: Test): Promise<void> {
      const full = await agent(String(accounts++));
      const free = await agent(String(accounts++));
      const waiting = Array.from({ length: 5000 }, (_, n) => eventRow(full, n, clock.now()));
      t.equal(await service.store.channelFlow.accept(waiting), 5000);
      const small = await beside({ settings: { channels: { gatherMs: 0, maxPending: 5000 } } });
      // The number of waiting events is remembered for a second, in which messages are still accepted.
      // Another message of a person would also end the one that waits.
      let person = waiting.length;
      const write = () => platform.write(full.accountId, String(++person), 'Hello');
      await until('the count', async () => (await write()) === 503);
      t.equal(await platform.write(free.accountId, '1', 'Hello'), 200, 'another account');
      platform.hooks = [`${small.baseUrl}/hooks/social`];
      t.equal(await platform.write(free.accountId, '2', 'Hello'), 503, 'too many of all accounts');
      await api.delete(full.at());
      await until('room', async () => (await platform.write(free.accountId, '3', 'Hello')) === 200);
      await until('the answer', () => platform.received(free.accountId, '3').length === 1);
      t.strictSame(platform.received(full.accountId, String(person)), [], 'it was refused');
    }

    t.notMatch(JSON.stringify(service.logged), /upstream text|token-of/);
  },
  { atOnce: true },
);
