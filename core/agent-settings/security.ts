import { Type } from '@sinclair/typebox';
import { limits } from '../schemas/limits.js';
import { someOf } from '../schemas/shapes.js';
import { settingsGroup } from './settings-group.js';

const optional = Type.Optional;
const flag = Type.Boolean();

const rateLimit = Type.Object({
  maxMessages: Type.Number({
    minimum: limits.rateLimit.maxMessages.min,
    maximum: limits.rateLimit.maxMessages.max,
  }),
  windowSeconds: Type.Number({
    minimum: limits.rateLimit.windowSeconds.min,
    maximum: limits.rateLimit.windowSeconds.max,
  }),
  limitMessage: Type.String({
    minLength: limits.rateLimit.limitMessage.min,
    maxLength: limits.rateLimit.limitMessage.max,
  }),
});

const fields = {
  isPrivate: optional(flag),
  rateLimit: optional(rateLimit),
  allowedDomains: optional(Type.Object({ enabled: flag, domains: Type.Array(Type.String()) })),
};

const domain = Type.String({ format: 'domain-expression', maxLength: limits.domains.length });

const domainsDescription =
  'Sites that may embed the widget, for example `https://acme.com`, `*.acme.com` or `localhost:*`. `*.acme.com` does not include `acme.com`. Without a port, only the default port matches. Without a scheme, pages must use https if the widget is loaded over https. A path has no effect.';

export const security = settingsGroup({
  path: 'security',
  key: 'security',
  name: 'security',
  operation: 'Security',
  about:
    '`rateLimit` limits the messages of each user (without a `userId`, of each conversation) within a window in seconds, and sets the answer to further messages. By default, only visitors of the widget are limited, by the configuration. `isPrivate` closes the widget and invalidates the tokens of visitors; `allowedDomains` are the sites that may embed the widget and use these tokens. Neither restricts API keys.',
  fields,
  body: someOf({
    ...fields,
    allowedDomains: optional(
      Type.Object(
        {
          enabled: flag,
          domains: Type.Array(domain, { maxItems: limits.domains.max, description: domainsDescription }),
        },
        { domainsWhenEnabled: true },
      ),
    ),
  }),
});
