import type { DeliveryRow, WebhookRow } from '../../../core/ports/store/webhooks.js';
import { DELIVERY_MS, settlementOf } from '../../../core/webhooks/attempts.js';
import t from '../../support/t.js';

const HOUR_MS = 3_600_000;
const NOW_MS = 1_800_000_000_000;
const moment = { nowMs: NOW_MS, random: 0.5, disableAfterMs: 72 * HOUR_MS };
const failed = { kind: 'answered', status: 500, body: '' } as const;

t.test('a webhook whose failures began while the clock was ahead is disabled in time', async (t) => {
  const delivery = { tries: 1, expiresAtMs: NOW_MS + DELIVERY_MS - 2 * HOUR_MS } as DeliveryRow;
  const ahead = { failingSinceMs: NOW_MS + 1000 * HOUR_MS } as WebhookRow;
  const first = settlementOf({ delivery, webhook: ahead }, failed, moment);
  t.equal(first.webhook?.failingSinceMs, NOW_MS);
  const later = { ...moment, nowMs: NOW_MS + 72 * HOUR_MS };
  const old = { ...delivery, expiresAtMs: later.nowMs + DELIVERY_MS - 2 * HOUR_MS };
  const webhook = { failingSinceMs: NOW_MS } as WebhookRow;
  t.match(settlementOf({ delivery: old, webhook }, failed, later).webhook, { disabledReason: String });
});
