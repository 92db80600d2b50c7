import type { Test } from 'tap';
import { connect } from '../../../adapters/sequelize/connect.js';
import { body } from '../../support/api-client.js';
import { type Message, textOf } from '../../support/chat.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import { startSocialService } from '../../support/social.js';
import { until } from '../../support/until.js';
import { visitorOf } from '../../support/visitors.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';
import { updateWorkspace, type WorkspaceOptions } from '../../support/workspace.js';

const HOOKS = 'https://hooks.acme.com';
const DAY_MS = 86_400_000;

interface Usage {
  allowances: { visitorStorageBytes: { used: number; limit: number } };
}

async function limited(t: Test, engine: Engine, set: WorkspaceOptions['set'] = {}) {
  let aheadMs = 0;
  const receiver = await webhookReceiver(t);
  const service = await startTestService(t, {
    engine,
    clock: { now: () => Date.now() + aheadMs },
    settings: { auth: { cacheTtlSeconds: 0 } },
    worker: { crawl: { resolve: { [HOOKS]: receiver.origin } } },
  });
  const { id: workspaceId, apiKey } = await service.workspace({ set });
  const owner = service.api(apiKey);
  const { id: agentId } = await owner.agent();
  const chat = (api: typeof owner, message: string, more: object = {}) =>
    body(api.post<Message>(`/agents/${agentId}/chat`, { message, stream: false, ...more }));
  const usage = async () => (await body(owner.get<Usage>('/workspace'))).allowances.visitorStorageBytes;
  return {
    service,
    receiver,
    workspaceId,
    owner,
    agentId,
    chat,
    usage,
    visitor: async () => service.api((await visitorOf(service, agentId)).token),
    limit: (visitorStorageBytes: number) =>
      updateWorkspace(service.store.workspaces, workspaceId, {
        set: { ...set, 'limits.visitorStorageBytes': visitorStorageBytes },
      }),
    pass: (ms: number) => {
      aheadMs += ms;
    },
  };
}

await onEachEngine(
  'conversations of visitors end at the limit of the plan, those of keys do not',
  async (t, engine) => {
    const { receiver, owner, chat, usage, visitor, limit } = await limited(t, engine);
    await body(owner.post('/webhooks', { url: `${HOOKS}/x`, events: ['quota.near'] }));
    const one = await visitor();
    const { conversationId } = (await chat(one, 'Hello')).metadata;
    const { used } = await usage();
    t.ok(used > 0);
    await chat(owner, 'By a key');
    t.equal((await usage()).used, used, 'conversations of keys do not count');
    await limit(Math.floor(used / 0.95));
    // The counts are cached for a second.
    await until('quota.near', async () => {
      await chat(one, 'More', { conversationId });
      return receiver.accepted.length > 0;
    });
    t.match(receiver.ofType('quota.near')[0]?.body.data, { allowance: 'visitorStorageBytes' });
    const refused = await until('the limit', async () => {
      const answer = await chat(await visitor(), 'Another');
      return answer.id === null && answer;
    });
    t.match(textOf(refused), /not available/);
    const full = (await usage()).used;
    await chat(one, 'More', { conversationId });
    t.equal((await usage()).used, full, 'nothing is stored');
    t.type((await chat(owner, 'By a key')).id, 'string');
    await limit(10_000_000);
    await until('more room', async () => (await chat(one, 'Again', { conversationId })).id !== null);
  },
);

await onEachEngine(
  'people on a social platform are told that the chat is not available',
  async (t, engine) => {
    const { platform, service, api, agent } = await startSocialService(t, engine, {
      settings: { auth: { cacheTtlSeconds: 0 }, channels: { gatherMs: 0 } },
    });
    const { accountId } = await agent('100');
    const [workspace] = await service.store.workspaces.list();
    await updateWorkspace(service.store.workspaces, workspace?.id ?? '', {
      set: { 'limits.visitorStorageBytes': 1 },
    });
    await platform.write(accountId, '1', 'Hello');
    await until('an answer', () => platform.received(accountId, '1').length === 1);
    await until(
      'its bytes',
      async () => (await body(api.get<Usage>('/workspace'))).allowances.visitorStorageBytes.used > 1,
    );
    await until('the limit', async () => {
      await platform.write(accountId, '1', 'More');
      return platform.received(accountId, '1').some((text) => /not available/.test(text));
    });
  },
);

await onEachEngine('evaluations are refused beyond the limit, also concurrent ones', async (t, engine) => {
  const { service, owner, agentId, usage, limit } = await limited(t, engine);
  const { id: other } = await owner.agent();
  const questions = Array.from({ length: 20 }, (_, n) => ({ question: `${n} ${'x'.repeat(1000)}` }));
  await limit(50_000);
  const create = (id: string) => owner.post<{ id: string }>(`/agents/${id}/evaluations`, { questions });
  const answers = await Promise.all([agentId, other, agentId, other].map(create));
  t.same(answers.map(({ status }) => status).sort(), [202, 202, 403, 403]);
  const refusal = answers.find(({ status }) => status === 403);
  t.match(refusal?.body, {
    error: { code: 'QUOTA_STORAGE_LIMIT', message: /evaluation.*Delete evaluations/ },
  });
  t.ok((await usage()).used <= 50_000);
  for (const [n, { status, body: made }] of answers.entries()) {
    if (status !== 202) continue;
    const at = `/agents/${n % 2 === 0 ? agentId : other}/evaluations/${made.id}`;
    await owner.post(`${at}/cancel`);
    await body(owner.delete(at));
  }
  t.equal((await usage()).used, 0);
  t.equal((await create(agentId)).status, 202);
  t.equal(service.logged.filter(({ level }) => level === 'error').length, 0);
});

await onEachEngine(
  'anonymous conversations are kept for 90 days, counted from the upgrade',
  async (t, engine) => {
    const { service, owner, agentId, chat, visitor, pass } = await limited(t, engine);
    const connection = connect({ url: service.databaseUrl, poolSize: 2, statementTimeoutMs: 15_000 });
    t.teardown(() => connection.close());
    await chat(owner, 'By a key', { userId: 'user-1' });
    const one = await visitor();
    const { conversationId } = (await chat(one, 'Silent')).metadata;
    const { conversationId: upgraded } = (await chat(await visitor(), 'Upgraded')).metadata;
    const left = async () =>
      (await body(owner.get<{ data: { id: string }[] }>(`/agents/${agentId}/conversations/export`))).data.map(
        ({ id }) => id,
      );
    const ofWidget = async () =>
      (
        await body(
          owner.get<{ data: { id: string }[] }>(`/agents/${agentId}/conversations/export?source=widget`),
        )
      ).data.map(({ id }) => id);
    t.equal((await ofWidget()).length, 2);
    pass(80 * DAY_MS);
    const upgradedAt = Math.floor(Date.now() / 1000) + 80 * 86_400;
    // As the migration marks it.
    await connection.sequelize.query('UPDATE conversations SET anonymous_at = ? WHERE id = ?', {
      replacements: [upgradedAt, upgraded],
    });
    pass(11 * DAY_MS);
    await until('the silent ones to be deleted', async () => !(await ofWidget()).includes(conversationId));
    t.strictSame(await ofWidget(), [upgraded], 'the upgraded one stays');
    // An older process stores a message without the mark.
    await connection.sequelize.query('UPDATE conversations SET updated_at = ? WHERE id = ?', {
      replacements: [upgradedAt + 1000, upgraded],
    });
    const { anonymousSince } = service.store.conversations.sweeps;
    t.strictSame(await anonymousSince(upgradedAt + 500, 10), [], 'it is kept, so no sweep finds it');
    pass(90 * DAY_MS);
    await until('all to be deleted', async () => (await ofWidget()).length === 0);
    t.equal((await left()).length, 1, 'that of the key stays');
  },
);

await onEachEngine('a long message of a visitor stores few words for the search', async (t, engine) => {
  const { service, owner, agentId, chat, visitor } = await limited(t, engine);
  const connection = connect({ url: service.databaseUrl, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  // Every pair of characters is a word.
  const characters = Array.from({ length: 3000 }, (_, n) =>
    String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
  );
  const { conversationId } = (await chat(await visitor(), `lantern ${characters.join('')}`)).metadata;
  const [row] = await connection.read('SELECT MAX(LENGTH(words)) AS bytes FROM message_words', []);
  t.ok(Number(row?.bytes) <= 1792, `${row?.bytes} bytes`);
  const found = await body(
    owner.get<{ data: { id: string }[] }>(`/agents/${agentId}/conversations?source=widget&search=lantern`),
  );
  t.strictSame(
    found.data.map(({ id }) => id),
    [conversationId],
  );
});
