import { createHmac } from 'node:crypto';
import { newWebhookSecret, signedHeaders } from '../../../core/webhooks/signature.js';
import t from '../../support/t.js';

/** As a receiver computes it, by https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md. */
const expected = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(signed)
    .digest('base64')}`;

t.test('a receiver can verify id, time and body of a message', async (t) => {
  const secret = newWebhookSecret();
  const message = { id: 'msg_1', at: 1_700_000_000, body: '{"type":"job.completed"}' };
  const headers = signedHeaders(message, [secret]);
  t.strictSame(headers, {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': expected(secret, 'msg_1.1700000000.{"type":"job.completed"}'),
  });
  for (const change of [{ id: 'msg_2' }, { at: 1_700_000_001 }, { body: '{}' }])
    t.not(
      signedHeaders({ ...message, ...change }, [secret])['webhook-signature'],
      headers['webhook-signature'],
    );
});

t.test('while a secret is replaced, both sign', async (t) => {
  const [former, latest] = [newWebhookSecret(), newWebhookSecret()];
  t.not(former, latest);
  const { 'webhook-signature': signature } = signedHeaders({ id: 'a', at: 1, body: 'b' }, [latest, former]);
  t.equal(signature, `${expected(latest, 'a.1.b')} ${expected(former, 'a.1.b')}`);
});
