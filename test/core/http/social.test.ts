import { noChannel } from '../../../adapters/no-channel/index.js';
import { contextOf } from '../../contracts/plugin-context.js';
import { invalid, refused } from '../../support/api-client.js';
import { onEachEngine } from '../../support/service.js';
import { startSocialService } from '../../support/social.js';
import { until } from '../../support/until.js';

interface Connection {
  connected: boolean;
  status?: string;
  accountId?: string;
  permissions?: string[];
  reconnectReason?: string | null;
}
interface Automation {
  id: string;
  status: string;
  type: string;
  postScope?: string | null;
  postId?: string | null;
}
interface Profile {
  desired: { items: object[] } | null;
  live: { items: object[] } | null;
  sync: { status: string; error: { code: string } | null };
}
interface SyncFailure {
  error: { code: string; details: object };
}

await onEachEngine(
  'connections, automations and profiles of the social channel',
  async (t, engine) => {
    const { platform, service, api, apiKey, agent, beside } = await startSocialService(t, engine);
    const other = await beside();

    await t.test('an agent without a connection', async (t) => {
      const { at, id } = await agent('100', { isConnected: false });
      t.strictSame((await api.get(at())).body, { connected: false });
      refused(t, await api.delete(at()), 404, 'SOCIAL_NOT_CONNECTED');
      for (const path of ['/automations', '/persistent-menu', '/conversation-starters'])
        refused(t, await api.get(at(path)), 404, 'SOCIAL_NOT_CONNECTED');
      refused(t, await api.get(at('/automations/nonsense')), 404, 'SOCIAL_NOT_CONNECTED');
      refused(t, await api.patch(at('/persistent-menu'), { items: [] }), 404, 'SOCIAL_NOT_CONNECTED');
      refused(
        t,
        await api.post(at('/automations'), { type: 'story_leads', name: 'x' }),
        404,
        'SOCIAL_NOT_CONNECTED',
      );
      invalid(t, await api.post(at('/automations'), { type: 'nonsense' }), 'type', 'name');
      invalid(t, await api.patch(at('/persistent-menu'), {}), 'items');
      refused(t, await api.get(`/agents/${id.replace(/.$/, 'f')}0/channels/social`), 404, 'AGENT_NOT_FOUND');
    });

    await t.test('a token is inspected before anything is stored', async (t) => {
      const { at, token } = await agent('200', { isConnected: false });
      invalid(t, await api.post(at(), {}), 'accessToken');
      invalid(t, await api.post(at(), { accessToken: 'grüße' }), 'accessToken');
      invalid(t, await api.post(at(), { accessToken: 'unknown' }), 'accessToken');
      platform.account('200', { scopes: ['business_manage_comments'] });
      invalid(t, await api.post(at(), { accessToken: token }), 'accessToken');
      platform.account('200');
      platform.fail(/ \/v24.0\/me$/, { does: 'refuse', status: 500, code: 2 });
      const away = await api.post(at(), { accessToken: token });
      refused(t, away, 503, 'INTERNAL_SERVER_ERROR');
      t.equal(away.headers.get('retry-after'), '5');
      for (const [path, body] of [
        [/\/me$/, '<html>'],
        [/debug_token$/, '<html>'],
        [/debug_token$/, '{}'],
        [/subscribed_apps$/, '<html>'],
      ] as const) {
        platform.fail(path, { does: 'answer', body, after: false });
        refused(t, await api.post(at(), { accessToken: token }), 503, 'INTERNAL_SERVER_ERROR');
      }
      t.strictSame((await api.get(at())).body, { connected: false });
      const made = await api.post<Connection>(at(), { accessToken: token });
      t.equal(made.status, 200, made.text);
      t.match(made.body, { connected: true, status: 'connected', accountId: '200', reconnectReason: null });
      t.strictSame((await api.get(at())).body, made.body);
      t.notMatch(made.text, token);
      t.ok(platform.account('200', { isSubscribed: true }));
      const second = await agent('299', { isConnected: false });
      invalid(t, await api.post(second.at(), { accessToken: token }), 'accessToken');
      t.strictSame((await api.delete(at())).body, { deleted: true });
      t.strictSame((await api.get(at())).body, { connected: false });
      t.equal((await api.post(second.at(), { accessToken: token })).status, 200, 'the account is free');
      const row = await service.store.channels.connection(second.id);
      t.notOk(Buffer.from(row?.token ?? []).includes(token), 'stored encrypted');
    });

    await t.test('drafts are never rejected, and live automations have targets of their own', async (t) => {
      const { at } = await agent('300');
      const draft = { type: 'comment_to_dm', name: 'Prices' };
      const target = { postScope: 'specific', postId: '17900', message: 'Here' };
      const make = (more: object) => api.post<Automation>(at('/automations'), { ...draft, ...more });
      const drafts = await Promise.all(Array.from({ length: 50 }, () => make(target)));
      t.strictSame(new Set(drafts.map(({ status }) => status)), new Set([201]));
      invalid(t, await make({ status: 'live' }), 'postScope', 'message');
      invalid(t, await make({ ...target, status: 'live', postId: null }), 'postId');
      invalid(t, await make({ postId: 'no id' }), 'postId');
      // On two processes.
      const clients = [api, other.api(apiKey)];
      const live = await Promise.all(
        drafts.map(({ body }, n) =>
          (clients[n % 2] ?? api).patch<Automation>(at(`/automations/${body.id}`), { status: 'live' }),
        ),
      );
      const won = live.flatMap((answer) => (answer.status === 200 ? [answer.body.id] : []));
      t.equal(won.length, 1, 'one of 50 at once');
      for (const answer of live.filter(({ status }) => status !== 200))
        refused(t, answer, 409, 'SOCIAL_AUTOMATION_TARGET_TAKEN');
      const [winner = ''] = won;
      t.equal((await make({ postScope: 'any', message: 'Any', status: 'live' })).status, 201);
      refused(
        t,
        await make({ postScope: 'any', message: 'Any', status: 'live' }),
        409,
        'SOCIAL_AUTOMATION_CATCH_ALL_EXISTS',
      );
      const story = { type: 'story_leads', name: 'Leads', storyScope: 'any', message: 'Hi', status: 'live' };
      t.equal((await api.post(at('/automations'), story)).status, 201, 'another type is another target');
      refused(
        t,
        await api.patch(at(`/automations/${winner}`), { postScope: 'any' }),
        409,
        'SOCIAL_AUTOMATION_CATCH_ALL_EXISTS',
      );
      const listed = await api.get<{ data: Automation[]; pagination: { total: number } }>(
        at('/automations?status=live&limit=2'),
      );
      t.equal(listed.body.pagination.total, 3);
      t.equal(listed.body.data[0]?.type, 'story_leads');
      t.strictSame((await api.delete(at(`/automations/${winner}`))).body, { deleted: true });
      refused(t, await api.get(at(`/automations/${winner}`)), 404, 'RESOURCE_NOT_FOUND');
      const next = drafts.find(({ body }) => body.id !== winner)?.body.id;
      t.equal((await api.patch(at(`/automations/${next}`), { status: 'live' })).status, 200, 'free again');
      await api.delete(at());
      await api.post(at(), { accessToken: 'token-of-300' });
      const after = await api.get<{ pagination: { total: number } }>(at('/automations?status=live'));
      t.equal(after.body.pagination.total, 0, 'drafts after a disconnect');
    });

    await t.test('comments need the permission for comments', async (t) => {
      const { at, token } = await agent('310', { isConnected: false });
      platform.account('310', { scopes: ['business_manage_messages'] });
      t.equal((await api.post(at(), { accessToken: token })).status, 200);
      const live = { name: 'x', message: 'x', status: 'live' };
      refused(
        t,
        await api.post(at('/automations'), { type: 'comment_to_dm', postScope: 'any', ...live }),
        409,
        'SOCIAL_RECONNECT_REQUIRED',
      );
      t.equal(
        (await api.post(at('/automations'), { type: 'story_leads', storyScope: 'any', ...live })).status,
        201,
      );
    });

    await t.test('an agent has at most 100 automations', async (t) => {
      const { at } = await agent('320');
      const make = () => api.post(at('/automations'), { type: 'story_leads', name: 'One more' });
      const made = await Promise.all(Array.from({ length: 101 }, make));
      t.equal(made.filter(({ status }) => status === 201).length, 100);
      for (const answer of made.filter(({ status }) => status !== 201)) invalid(t, answer, 'name');
    });

    await t.test(
      'menu and starters are published, cleared, and confirmed only by the platform',
      async (t) => {
        const { at, accountId } = await agent('400');
        const menu = at('/persistent-menu');
        const starters = at('/conversation-starters');
        const items = [
          { title: 'Hours', message: 'When are you open?' },
          { title: 'Shop', url: 'https://acme.com/' },
        ];
        t.match((await api.get(menu)).body, {
          desired: null,
          live: null,
          sync: { status: 'idle', error: null },
        });
        invalid(t, await api.patch(menu, { items: [{ title: 'x' }] }), 'items');
        invalid(t, await api.patch(menu, { items: [{ title: 'x', url: 'http://acme.com' }] }), 'items');
        invalid(t, await api.patch(menu, { items: Array(21).fill(items[0]) }), 'items');
        invalid(t, await api.patch(starters, { items: Array(5).fill({ question: 'x' }) }), 'items');
        const published = await api.patch<Profile>(menu, { items });
        t.match(published.body, {
          desired: { items },
          live: { items },
          sync: { status: 'idle', error: null },
        });
        t.ok(platform.calls.some((call) => call.endsWith(`/${accountId}/messenger_profile`)));

        platform.fail(/POST .*messenger_profile/, { does: 'refuse', status: 400, code: 100 });
        const failed = await api.patch<SyncFailure>(menu, { items: items.slice(1) });
        refused(t, failed, 502, 'SOCIAL_SYNC_FAILED');
        t.strictSame(failed.body.error.details, {
          code: 'INVALID_CONTENT',
          http_status: 400,
          upstream_code: 100,
        });
        t.notMatch(failed.text, /upstream text/);
        t.match((await api.get(menu)).body, {
          desired: { items: items.slice(1) },
          live: { items },
          sync: { status: 'failed', error: { code: 'INVALID_CONTENT' } },
        });

        platform.fail(/POST .*messenger_profile/, { does: 'cut', after: true });
        t.equal((await api.patch(starters, { items: [{ question: 'Where?' }] })).status, 200, 'read back');
        platform.fail(/POST .*messenger_profile/, { does: 'cut', after: false });
        const cut = await api.patch<SyncFailure>(starters, { items: [{ question: 'Who?' }] });
        refused(t, cut, 502, 'SOCIAL_SYNC_FAILED');
        t.strictSame(cut.body.error.details, { code: 'NETWORK', http_status: null, upstream_code: null });
        t.match((await api.get(starters)).body, { live: { items: [{ question: 'Where?' }] } });
        platform.fail(/DELETE .*messenger_profile/, { does: 'cut', after: false });
        platform.fail(/GET .*messenger_profile/, { does: 'answer', body: '{}', after: false });
        const unread = await api.patch<SyncFailure>(starters, { items: [] });
        refused(t, unread, 502, 'SOCIAL_SYNC_FAILED');
        t.match((await api.get(starters)).body, { live: { items: [{ question: 'Where?' }] } });
        t.match((await api.patch(starters, { items: [] })).body, { live: { items: [] } });

        platform.fail(/POST .*messenger_profile/, { does: 'hang', after: true });
        const first = api.patch<Profile>(menu, { items });
        await until('the sync', async () => (await api.get<Profile>(menu)).body.sync.status === 'running');
        await until('the call', () => platform.calls.at(-1)?.startsWith('POST'));
        refused(t, await api.patch(menu, { items: [] }), 409, 'SOCIAL_SYNC_IN_PROGRESS');
        t.equal((await api.patch(starters, { items: [] })).status, 200, 'another resource');
        platform.dropHanging();
        t.match((await first).body, { live: { items }, sync: { status: 'idle' } }, 'read back');

        platform.fail(/messenger_profile/, { does: 'refuse', status: 401, code: 190 });
        refused(t, await api.patch(menu, { items }), 502, 'SOCIAL_SYNC_FAILED');
        t.match((await api.get(at())).body, {
          connected: false,
          status: 'reconnect_required',
          reconnectReason: 'TOKEN_INVALID',
        });
        refused(t, await api.patch(starters, { items: [] }), 409, 'SOCIAL_RECONNECT_REQUIRED');
        const refusedMenu = await api.patch<SyncFailure>(menu, { items: [] });
        refused(t, refusedMenu, 502, 'SOCIAL_SYNC_FAILED');
        t.match(refusedMenu.body.error.details, { code: 'RECONNECT_REQUIRED' });
        t.match((await api.post(at(), { accessToken: 'token-of-400' })).body, { status: 'connected' });
      },
    );

    await t.test('without a platform, a connected agent is shown as unconnected', async (t) => {
      const { at } = await agent('500');
      const { body: draft } = await api.post<Automation>(at('/automations'), {
        type: 'story_leads',
        name: 'x',
      });
      const { port } = await noChannel.start(contextOf({}));
      const without = (await service.beside({ channel: port })).api(apiKey);
      t.strictSame((await without.get(at())).body, { connected: false });
      refused(t, await without.post(at(), { accessToken: 'token' }), 404, 'RESOURCE_NOT_FOUND');
      const { type, name } = draft as Automation & { name: string };
      for (const answer of [
        await without.get(at('/automations')),
        await without.post(at('/automations'), { type, name }),
        await without.patch(at(`/automations/${draft.id}`), { name }),
        await without.delete(at(`/automations/${draft.id}`)),
        await without.patch(at('/persistent-menu'), { items: [] }),
        await without.patch(at('/conversation-starters'), { items: [] }),
        await without.get(at('/deliveries')),
        await without.delete(at()),
      ])
        refused(t, answer, 404, 'SOCIAL_NOT_CONNECTED');
      t.match((await api.get(at())).body, { connected: true }, 'the connection stays stored');
    });

    t.notMatch(JSON.stringify([service.logged, other.logged]), /upstream text|token-of/);
  },
  { atOnce: true },
);
