import { Type } from '@sinclair/typebox';
import { limits } from '../core/schemas/limits.js';
import { count, orNull, section } from './setting-shapes.js';

const { maxMessages, windowSeconds } = limits.rateLimit;

/** Settings of the widget, and limits of visitors. */
export const widgetSettings = section({
  enabled: Type.Boolean({
    expects: 'true or false',
    description:
      'Whether this process serves the widget, at `/widget.js` and below `/widget`, and accepts the tokens of visitors.',
  }),
  tokenTtlSeconds: count('How long the token of a visitor is valid.', 'seconds', 60, 86_400),
  rateLimit: section({
    maxMessages: count(
      'Maximum number of messages of a visitor within the window. Applies to agents without their own rate limit.',
      'messages',
      maxMessages.min,
      maxMessages.max,
    ),
    windowSeconds: count('Length of that window.', 'seconds', windowSeconds.min, windowSeconds.max),
  }),
  addressFactor: count(
    'Rate limit of all visitors with the same IP address (IPv6: the same /64), as a multiple of the limit of one visitor.',
    'times',
    1,
    1000,
  ),
  publicUrl: orNull(
    Type.String({
      format: 'origin',
      expects: 'a bare origin such as https://widget.acme.com',
      description:
        'Origin from which web sites load the widget. Use another host name of this server, so that the console and the widget do not share browser storage. null: `http.publicUrl`.',
    }),
  ),
});
