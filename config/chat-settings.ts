import { longestSettings } from '../core/schemas/longest-settings.js';
import { count, orNull, section } from './setting-shapes.js';

const DAY_SECONDS = 86_400;
const HOUR_MS = 3_600_000;

/** Answers: how long they take, and how long conversations are kept. */
export const chatSettings = section({
  deadlineMs: count('Maximum time for one answer.', 'milliseconds', 1000, HOUR_MS),
  busyWaitMs: count(
    'How long a message waits for the previous answer in its conversation to end. After that it gets 503.',
    'milliseconds',
    0,
    HOUR_MS,
  ),
  keepAliveMs: count(
    'Idle time in an event stream before a comment is sent to keep proxies from closing it.',
    'milliseconds',
    100,
    HOUR_MS,
  ),
  toolResultTtlSeconds: count(
    'How long an answer waits for the result of a client action.',
    'seconds',
    1,
    longestSettings.toolResultTtlSeconds,
  ),
  historyTokens: count(
    'Maximum number of tokens, as Cadre estimates them, of earlier messages that a model gets.',
    'tokens',
    0,
    1_000_000,
  ),
  endedAfterSeconds: count(
    'Idle time after which a conversation counts as ended. It can still be continued.',
    'seconds',
    1,
    365 * DAY_SECONDS,
  ),
  retentionDays: orNull(
    count('Idle time after which a conversation is deleted. null: never.', 'days', 1, 36_500),
  ),
  anonymousRetentionDays: orNull(
    count(
      'Idle time after which a conversation of an anonymous visitor is deleted. For conversations that are older than this setting, it is counted from the upgrade. null: like other conversations.',
      'days',
      1,
      36_500,
    ),
  ),
});
