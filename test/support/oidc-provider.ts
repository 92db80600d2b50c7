import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import type { Test } from 'tap';
import { openOpenid } from '../../adapters/openid/index.js';
import type { IdentityProvider } from '../../core/ports/identity.port.js';
import type { Log } from '../../core/ports/log.port.js';
import { loopbackServer } from './loopback-server.js';

export interface TestPerson {
  subject: string;
  email?: string;
  email_verified?: boolean;
}

export interface TestProvider {
  issuer: string;
  clientSecret: string;
  /** The next visitor signs in as this person; null refuses to sign in. */
  person: TestPerson | null;
  /** The provider answers nothing but 503. */
  isAway: boolean;
  /** Cadre as its client. */
  client(options?: { trustEmail?: boolean }): IdentityProvider;
  /** Follows the pages of the provider like a browser. Returns the parameters with which it sends back. */
  visit(url: string): Promise<Record<string, string>>;
}

const log: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const SECRET = 'a secret of the client';

/** A real provider of OpenID Connect on loopback, which signs in without questions. */
export async function testProvider(t: Test): Promise<TestProvider> {
  let handle = (_: IncomingMessage, response: ServerResponse): unknown => response.end();
  const issuer = await loopbackServer(t, (request, response) => {
    if (!test.isAway) return void handle(request, response);
    response.statusCode = 503;
    response.end();
  });
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'cadre', client_secret: SECRET, redirect_uris: ['https://cadre.example/oidc'] }],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key for cookies'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...claimsOf.get(accountId) }),
    }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId;
      const grant = new provider.Grant({ clientId: 'cadre', ...(accountId ? { accountId } : {}) });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  // The port of the service is not known yet.
  provider.Client.prototype.redirectUriAllowed = () => true;
  const claimsOf = new Map<string, Omit<TestPerson, 'subject'>>();
  const callback = provider.callback();
  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    const { person } = test;
    if (!person) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const { subject, ...claims } = person;
    claimsOf.set(subject, claims);
    return provider.interactionFinished(request, response, { login: { accountId: subject } });
  };
  const test: TestProvider = {
    issuer,
    clientSecret: SECRET,
    person: null,
    isAway: false,
    client: ({ trustEmail = false } = {}) =>
      openOpenid({
        issuer,
        clientId: 'cadre',
        clientSecret: SECRET,
        scopes: 'openid email profile',
        trustEmail,
        log,
      }),
    async visit(start) {
      const cookies = new Map<string, string>();
      let url = new URL(start);
      while (url.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
          cookies.set(name, value);
        }
        const to = response.headers.get('location');
        if (to === null) throw new Error(`${url}: ${response.status} ${await response.text()}`);
        url = new URL(to, url);
      }
      return Object.fromEntries(url.searchParams);
    },
  };
  return test;
}
