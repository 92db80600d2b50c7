import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../../adapters/sequelize/connect.js';
import { newWebhook } from '../../../core/webhooks/webhook-changes.js';
import { createSecretSealing } from '../../../core/webhooks/webhook-secrets.js';
import { body } from '../../support/api-client.js';
import { testKeyring } from '../../support/keyring.js';
import { columnsOf } from '../../support/schema.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';
import { expectedSignature, webhookReceiver } from '../../support/webhook-receiver.js';

const HOUR_MS = 3_600_000;

const HOOKS = 'https://hooks.acme.com';
const FIRST_KEY = 'the first key of 32 characters!!!';
const SECOND_KEY = 'the second key of 32 characters!!';

interface Webhook {
  id: string;
  secret: string;
}

async function withReceiver(t: Test, engine: Engine) {
  const receiver = await webhookReceiver(t);
  let ahead = 0;
  const options = {
    engine,
    clock: { now: () => Date.now() + ahead },
    settings: { secrets: { key: FIRST_KEY, previousKeys: [] as string[] } },
    worker: { crawl: { resolve: { [HOOKS]: receiver.origin } } },
  };
  const service = await startTestService(t, options);
  const connection = connect({ url: service.databaseUrl, poolSize: 2, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const { apiKey } = await service.workspace();
  const write = (sql: string, params: unknown[]) => connection.sequelize.query(sql, { replacements: params });
  const stored = async (id: string) => {
    const [row] = await connection.read('SELECT secret, previous_secret FROM webhooks WHERE id = ?', [id]);
    return [row?.secret, row?.previous_secret].map((value) => (value == null ? null : String(value)));
  };
  /** Returns the tables in which any text column holds this text. */
  async function tablesWith(text: string): Promise<string[]> {
    const found: string[] = [];
    for (const [table, columns] of await columnsOf(connection))
      for (const { name, isNumber } of columns) {
        if (isNumber) continue;
        const rows = await connection.read(`SELECT 1 FROM ${table} WHERE ${name} LIKE ? LIMIT 1`, [
          `%${text}%`,
        ]);
        if (rows.length > 0) found.push(`${table}.${name}`);
      }
    return found;
  }
  const api = service.api(apiKey);
  const create = (headers = {}) => body(api.post<Webhook>('/webhooks', { url: `${HOOKS}/x` }, { headers }));
  const signature = async (id: string) => {
    const before = receiver.accepted.length;
    await body(api.post(`/webhooks/${id}/test`));
    await until('a message', () => receiver.accepted.length > before);
    const message = receiver.accepted.at(-1);
    if (!message) throw new Error('a message was expected');
    return { message, value: message.headers['webhook-signature'] };
  };
  const pass = (ms: number) => {
    ahead += ms;
  };
  return { service, options, api, create, write, stored, tablesWith, signature, pass };
}

await onEachEngine('no table holds the secret of a webhook', async (t, engine) => {
  const { api, create, tablesWith, signature } = await withReceiver(t, engine);
  const headers = { 'Idempotency-Key': 'create once' };
  const hook = await create(headers);
  t.strictSame(await create(headers), hook, 'a repetition gets the secret');
  t.strictSame(await tablesWith(hook.secret), []);
  const rotation = () =>
    body(api.post<Webhook>(`/webhooks/${hook.id}/rotate`, {}, { headers: { 'Idempotency-Key': 'rotate' } }));
  const { secret } = await rotation();
  t.equal((await rotation()).secret, secret);
  for (const one of [secret, hook.secret]) t.strictSame(await tablesWith(one), []);
  t.strictSame(await tablesWith('whsec_'), []);
  const { message, value } = await signature(hook.id);
  t.equal(value, [secret, hook.secret].map((one) => expectedSignature(message, one)).join(' '));
});

await onEachEngine('secrets of an older version sign, and are encrypted', async (t, engine) => {
  const { create, write, stored, signature, pass } = await withReceiver(t, engine);
  const hook = await create();
  const before = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  await write('UPDATE webhooks SET secret = ?, previous_secret = ?, previous_until = ? WHERE id = ?', [
    hook.secret,
    before,
    Math.floor(Date.now() / 1000) + 80_000,
    hook.id,
  ]);
  const clear = await signature(hook.id);
  t.equal(clear.value, [hook.secret, before].map((one) => expectedSignature(clear.message, one)).join(' '));
  pass(HOUR_MS);
  await until('encryption', async () =>
    (await stored(hook.id)).every((value) => value !== null && !value.includes('whsec_')),
  );
  const sealed = await signature(hook.id);
  t.equal(sealed.value, [hook.secret, before].map((one) => expectedSignature(sealed.message, one)).join(' '));
});

await onEachEngine('secrets are encrypted again with a new key', async (t, engine) => {
  const { service, options, create, stored, pass } = await withReceiver(t, engine);
  const hook = await create();
  const [before] = await stored(hook.id);
  await service.beside({
    ...options,
    settings: { secrets: { key: SECOND_KEY, previousKeys: [FIRST_KEY] } },
  });
  pass(HOUR_MS);
  await until('the new key', async () => (await stored(hook.id))[0] !== before);
});

t.test('messages wait while no key can read the secret', async (t) => {
  const { service, api, create, write, signature } = await withReceiver(t, 'sqlite');
  const hook = await create();
  const other = await create();
  await write('UPDATE webhooks SET secret = ? WHERE id = ?', [
    Buffer.alloc(90, 3).toString('base64'),
    hook.id,
  ]);
  await body(api.post(`/webhooks/${hook.id}/test`));
  const { message, value } = await signature(other.id);
  t.equal(value, expectedSignature(message, other.secret), 'another webhook is not delayed');
  await until('a warning', () => service.logged.some(({ message }) => /cannot be signed/.test(message)));
  const list = await body(
    api.get<{ data: { status: string; attempts: number }[] }>(`/webhooks/${hook.id}/deliveries`),
  );
  t.match(list.data, [{ status: 'pending' }]);
});

t.test('secrets in clear stay readable for older processes during a rolling upgrade', async (t) => {
  const { row, secret } = newWebhook(uuidv7(), { url: `${HOOKS}/x` }, { keyring: testKeyring, now: 1 });
  const rows = [{ ...row, secret }];
  const now = { ms: Date.now() };
  const seal = createSecretSealing({
    webhooks: {
      secretsAfter: async () => rows,
      async replaceSecrets(_, secrets) {
        Object.assign(rows[0] ?? {}, secrets);
      },
    },
    keyring: testKeyring,
    clock: { now: () => now.ms },
  });
  now.ms += HOUR_MS - 1000;
  await seal();
  t.equal(rows[0]?.secret, secret);
  now.ms += 1000;
  await seal();
  t.notMatch(rows[0]?.secret, 'whsec_');
});
