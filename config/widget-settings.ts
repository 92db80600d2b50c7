import { Type } from '@sinclair/typebox';
import { limits } from '../core/schemas/limits.js';
import { count, orNull, section } from './setting-shapes.js';

const { maxMessages, windowSeconds } = limits.rateLimit;

/** The widget, and the limits of visitors. */
export const widgetSettings = section({
  enabled: Type.Boolean({
    expects: 'true or false',
    description:
      'Whether this process serves the widget, at `/widget.js` and below `/widget`, and accepts the tokens of visitors.',
  }),
  tokenTtlSeconds: count('How long the token of a visitor is valid.', 'seconds', 60, 86_400),
  rateLimit: section({
    maxMessages: count(
      'Maximum number of messages of a visitor within the window. Applies to agents without a rate limit of their own.',
      'messages',
      maxMessages.min,
      maxMessages.max,
    ),
    windowSeconds: count('Length of that window.', 'seconds', windowSeconds.min, windowSeconds.max),
  }),
  addressFactor: count(
    'How many times as many messages as one visitor all visitors with the same IP address (IPv6: the same /64) may send.',
    'times',
    1,
    1000,
  ),
  publicUrl: orNull(
    Type.String({
      format: 'origin',
      expects: 'a bare origin such as https://widget.acme.com',
      description:
        'Origin from which web sites load the widget: another name of this server. With it, the console and the widget share no browser storage. null: `http.publicUrl`.',
    }),
  ),
});
