import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createConnection } from 'mysql2/promise';
import type { AgentTurnContext } from '../../../core/actors/agent/handler.js';
import {
  connectSocial,
  disconnectSocial,
  refreshSocial,
  requireReconnect,
} from '../../../core/actors/agent/social/connection.js';
import type { ConnectionRow } from '../../../core/ports/store/channels/channels.js';
import { says, scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { peopleOf, type SocialAgent, startSocialService } from '../../support/social.js';
import { until } from '../../support/until.js';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const FALSE_SIGNATURE = `sha256=${'0'.repeat(64)}`;

interface Request {
  aborted?: boolean;
}
interface Connection {
  status: string;
  tokenExpiresAt: number;
  reconnectReason: string | null;
}

await onEachEngine(
  'accounts of the social channel, and the hook',
  async (t, engine) => {
    const answerer = scriptedAnswerer(says('An answer'));
    const requests: Request[] = [];
    let offsetMs = 0;
    const clock = { now: () => Date.now() + offsetMs };
    const social = await startSocialService(t, engine, {
      answerer,
      clock,
      settings: { channels: { gatherMs: 300 } },
      onInfo: (fields) => void requests.push(fields as Request),
    });
    const { platform, api, agent, service, beside } = social;
    const { said, receives, ends } = peopleOf(social);
    const connection = async ({ at }: SocialAgent) => (await api.get<Connection>(at())).body;

    await t.test('events are accepted while false ones occupy connections', async (t) => {
      const one = await agent('100');
      const { hostname, port } = new URL(service.baseUrl);
      const sockets: Socket[] = [];
      t.teardown(() => {
        for (const socket of sockets) socket.destroy();
      });
      const answers = Array.from({ length: 8 }, () => {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        socket.on('error', () => {});
        socket.write(
          `POST /hooks/social HTTP/1.1\r\nhost: cadre\r\ncontent-length: 4194304\r\nx-hub-signature-256: ${FALSE_SIGNATURE}\r\n\r\n{`,
        );
        return once(socket, 'data').then(([data]) => String(data));
      });
      await until('the requests', async () => sockets.every(({ bytesWritten }) => bytesWritten > 0));
      t.equal(await platform.write('100', '1', 'Hello'), 200);
      await receives(one, '1', 1);
      for (const answer of await Promise.all(answers)) t.match(answer, /^HTTP\/1.1 400 /);
    });

    await t.test(
      'a client that goes away in the middle of its body is no error of the service',
      async (t) => {
        const { hostname, port } = new URL(service.baseUrl);
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST /hooks/social HTTP/1.1\r\nhost: cadre\r\ncontent-length: 100\r\nx-hub-signature-256: ${FALSE_SIGNATURE}\r\n\r\n{`,
        );
        const before = requests.length;
        socket.end(() => socket.destroy());
        await until('the end of the request', () => requests.slice(before).some(({ aborted }) => aborted));
        t.strictSame(
          service.logged.filter(({ level }) => level === 'error'),
          [],
        );
      },
    );

    await t.test('the events of an account are stored from its connection on', async (t) => {
      const one = await agent('110', { isConnected: false });
      t.equal(await platform.write('110', '1', 'Too early'), 200);
      await api.post(one.at(), { accessToken: one.token });
      t.equal(await platform.write('110', '1', 'Hello'), 200);
      await receives(one, '1', 1);
      t.strictSame(await said(one, '1'), ['user: Hello', 'assistant: An answer']);
    });

    await t.test('menu and starters belong to the account', async (t) => {
      const one = await agent('120');
      const items = [{ title: 'Hours', message: 'When are you open?' }];
      const menu = async () => (await api.get<{ live: object | null }>(one.at('/persistent-menu'))).body;
      const first = platform.account('120');
      await api.post(one.at(), { accessToken: one.token });
      t.equal((await api.patch(one.at('/persistent-menu'), { items })).status, 200);
      t.match(await menu(), { desired: { items }, live: { items } });
      await api.delete(one.at());
      await api.post(one.at(), { accessToken: one.token });
      t.match(await menu(), { desired: null, live: null }, 'cleared with the connection');

      await api.patch(one.at('/persistent-menu'), { items });
      t.ok(first.isSubscribed);
      const second = platform.account('121');
      t.equal((await api.post(one.at(), { accessToken: second.token })).status, 200);
      t.match(await menu(), { desired: null, live: null }, 'of the other account');
      t.strictSame([first.isSubscribed, first.profile], [false, {}], 'the former account is left');
      t.ok(second.isSubscribed);
    });

    await t.test('messages over the rate limit do not keep the others from being answered', async (t) => {
      const one = await agent('130');
      const rateLimit = { maxMessages: 2, windowSeconds: 60, limitMessage: 'Slowly, please.' };
      t.equal((await api.patch(`/agents/${one.id}/settings/security`, { rateLimit })).status, 200);
      const texts = ['One', 'Two', 'Three', 'Four'];
      for (const text of texts) await platform.write('130', '1', text);
      await receives(one, '1', 2);
      t.strictSame(platform.received('130', '1').toSorted(), ['An answer', 'Slowly, please.']);
      t.strictSame((await said(one, '1')).filter((line) => line.startsWith('user')).length, 4);
      const { history } = answerer.requests.at(-1) ?? { history: [] };
      t.notMatch(JSON.stringify(history), /Three/);
      t.match(JSON.stringify(history), /Two/);
      offsetMs += 61_000;
      await platform.write('130', '1', 'Five');
      await receives(one, '1', 3);
      t.equal(platform.received('130', '1').at(-1), 'An answer');
    });

    await t.test('tokens are renewed before they expire', async (t) => {
      const expiresAt = Math.floor(clock.now() / 1000) + 20 * HOUR_S;
      const one = await agent('140', { isConnected: false });
      const short = platform.account('140', { expiresAt });
      await api.post(one.at(), { accessToken: short.token });
      const long = await agent('141');
      t.equal((await connection(one)).tokenExpiresAt, expiresAt);
      offsetMs += 11 * HOUR_S * 1000;
      // A new process sweeps at once.
      const other = await beside();
      await until('the renewal', async () => (await connection(one)).tokenExpiresAt > expiresAt + 50 * DAY_S);
      t.match(await connection(one), { status: 'connected' });
      await platform.write('140', '1', 'Hello');
      await receives(one, '1', 1);
      // Half of the life of the other token is over, and the platform refuses to renew it.
      offsetMs += 30 * DAY_S * 1000;
      platform.fail(/refresh_access_token/, ...Array(8).fill({ does: 'refuse', code: 100 }));
      await beside();
      const before = platform.calls.length;
      await until('an attempt', () =>
        platform.calls.slice(before - 8).some((c) => c.includes('refresh_access')),
      );
      t.match(await connection(long), { status: 'connected' });
      platform.heal();
      offsetMs += 31 * DAY_S * 1000;
      await beside();
      await until('the expiry', async () => (await connection(long)).status === 'reconnect_required');
      t.match(await connection(long), { reconnectReason: 'TOKEN_INVALID' });
      t.notMatch(JSON.stringify([service.logged, other.logged]), /token-of|upstream text/);
    });

    await t.test('a token that lives for long is renewed within 30 days', async (t) => {
      const one = await agent('145', { isConnected: false });
      const now = Math.floor(clock.now() / 1000);
      const { token } = platform.account('145', { expiresAt: now + 400 * DAY_S });
      await api.post(one.at(), { accessToken: token });
      const { renewAt } = (await service.store.channels.connection(one.id)) ?? {};
      t.ok((renewAt ?? 0) > now + 29 * DAY_S);
      t.ok((renewAt ?? 0) < now + 31 * DAY_S);
    });

    await t.test('a token that cannot be decrypted needs a new connection', async (t) => {
      const one = await agent('150');
      const next = await agent('151');
      for (const { id } of [one, next])
        await service.store.turns.run(id, null, async ({ channel }) => {
          const row = await channel.connection();
          const token = id === one.id ? new Uint8Array(40) : row?.token;
          if (row && token) await channel.putConnection({ ...row, token, renewAt: 0 });
        });
      await beside();
      await until('the end', async () => (await connection(one)).status === 'reconnect_required');
      const renewed = () => service.store.channels.connection(next.id);
      await until('the renewal', async () => ((await renewed())?.renewAt ?? 0) > 0);
      t.match(await connection(next), { status: 'connected' });
    });

    await t.test('a change of the token keeps the rest that sending begins meanwhile', async (t) => {
      const one = await agent('155');
      const { turns, channels, channelFlow } = service.store;
      const account = {
        accountId: '155',
        username: 'acme',
        senderId: '155',
        permissions: ['messages'],
        tokenExpiresAt: null,
      } as const;
      type Change = (context: AgentTurnContext, before: ConnectionRow) => Promise<unknown>;
      const changes: Record<string, Change> = {
        renewal: (context, { tokenId }) =>
          refreshSocial(context, { kind: 'refreshSocial', tokenId: tokenId ?? '', found: { retryAt: 1 } }),
        refusal: (context, { tokenId }) =>
          requireReconnect(context, {
            kind: 'requireReconnect',
            tokenId: tokenId ?? '',
            reason: 'TOKEN_INVALID',
          }),
        connection: (context) =>
          connectSocial(context, { kind: 'connectSocial', account, token: new Uint8Array(40) }),
        disconnection: (context) => disconnectSocial(context, { kind: 'disconnectSocial' }),
      };
      let restMs = 60_000;
      for (const [name, change] of Object.entries(changes)) {
        const before = await channels.connection(one.id);
        if (!before) throw new Error('not connected');
        // The rest begins between the read and the write of the turn.
        restMs += 60_000;
        const restUntilMs = await channelFlow.rest(one.id, clock.now(), restMs);
        await turns.run(one.id, null, async (turn) => {
          const channel = { ...turn.channel, connection: async () => before };
          await change(
            { turn: { ...turn, channel }, rules: { clock } } as unknown as AgentTurnContext,
            before,
          );
        });
        const after = await channels.connection(one.id);
        t.match(after, { restUntilMs, restMs }, name);
      }
    });

    await t.test('a deletion does not wait for events of other accounts', async (t) => {
      if (engine !== 'mysql') return;
      const one = await agent('160');
      const other = await agent('161');
      await platform.write('160', '1', 'Hello');
      await platform.write('161', '1', 'Hello');
      await receives(one, '1', 1);
      await receives(other, '1', 1);
      const { conversationId } = await ends(one, 'sent');
      await ends(other, 'sent');
      const administrator = await createConnection(service.databaseUrl);
      t.teardown(() => administrator.end());
      await administrator.beginTransaction();
      await administrator.query("SELECT id FROM channel_events WHERE account_id = '161' FOR UPDATE");
      const answer = await api.delete(one.at(`/conversations/${conversationId}`));
      await administrator.rollback();
      t.equal(answer.status, 200);
    });
  },
  { atOnce: true },
);
