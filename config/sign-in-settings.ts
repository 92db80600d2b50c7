import { Type } from '@sinclair/typebox';
import { count, oneOf, orNull, section } from './setting-shapes.js';

/** How people sign in to the console. */
export const signInSettings = section({
  idleHours: count(
    'Idle time after which a session of the console ends. It ends after 30 days at the latest.',
    'hours',
    1,
    720,
  ),
  password: Type.Boolean({
    expects: 'true or false',
    description:
      'Whether people may sign in with a password. false: only through the provider of `signIn.oidc`; owners keep a way in with a link of `cadre user`.',
  }),
  oidc: section({
    issuer: orNull(
      Type.String({
        format: 'issuer',
        maxLength: 255,
        expects: 'an https URL such as https://login.acme.com',
        description:
          'Issuer of a provider of OpenID Connect. `http:` works on the same machine only. null: people sign in with passwords only.',
      }),
    ),
    clientId: orNull(
      Type.String({
        minLength: 1,
        maxLength: 255,
        expects: 'the id of the client',
        description: 'Id of Cadre at the provider. Required with `signIn.oidc.issuer`.',
      }),
    ),
    clientSecretFile: orNull(
      Type.String({
        minLength: 1,
        expects: 'the path of a file',
        description: 'File with the secret of Cadre at the provider. null: the provider asks for none.',
      }),
    ),
    scopes: Type.String({
      pattern: '^openid( [\\x21\\x23-\\x5B\\x5D-\\x7E]+)*$',
      maxLength: 255,
      expects: '`openid`, and further scopes after spaces',
      description: 'What the provider is asked for. It must tell the e-mail address.',
    }),
    buttonLabel: Type.String({
      minLength: 1,
      maxLength: 100,
      expects: 'a text',
      description: 'Text of the button on the sign-in page.',
    }),
    trustEmail: Type.Boolean({
      expects: 'true or false',
      description:
        'Whether an address counts as verified if the provider does not say so. Only for a provider that belongs to you alone.',
    }),
    trustSecondFactor: Type.Boolean({
      expects: 'true or false',
      description:
        'Whether a sign-in through the provider counts as one with a second factor. Only if the provider always asks for one.',
    }),
    createMembers: section({
      workspaceId: orNull(
        Type.String({
          pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
          expects: 'the id of a workspace',
          description:
            'Workspace that gets people without an account as members when they first sign in through the provider. Needs `signIn.oidc.allowedEmailDomains`. Removed members need an invitation. null: only invited people sign in.',
        }),
      ),
      role: oneOf('Role of these members.', ['viewer', 'support', 'editor'] as const),
    }),
    allowedEmailDomains: Type.Array(
      Type.String({
        pattern: '^[^@\\s]+$',
        minLength: 1,
        maxLength: 253,
      }),
      {
        expects: 'a list of domains such as acme.com',
        description:
          'Domains of the addresses with which people may sign in through the provider for the first time. Subdomains are not included. Empty: all domains.',
      },
    ),
  }),
});
