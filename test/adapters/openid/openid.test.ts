import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { openOpenid } from '../../../adapters/openid/index.js';
import { ProviderAway } from '../../../core/ports/identity.port.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { loopbackServer } from '../../support/loopback-server.js';
import t from '../../support/t.js';

const attempt = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
const redirectUrl = 'http://127.0.0.1/console/oidc';

const keys = await generateKeyPair('RS256', { extractable: true });
const strange = await generateKeyPair('RS256', { extractable: true });
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };

/** What the provider answers in place of the right values. */
interface Lie {
  claims?: JWTPayload;
  key?: CryptoKey;
  /** Instead of a token. */
  status?: number;
}

/** A provider that answers with a token that is wrong in one point. */
async function lyingProvider(
  t: Parameters<typeof loopbackServer>[0],
  { claims = {}, key, status = 200 }: Lie,
) {
  const issuer = await loopbackServer(t, async (request, response) => {
    const paths: Record<string, () => Promise<object> | object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
      }),
      '/jwks': () => ({ keys: [jwk] }),
      '/token': async () => {
        const right = { email: 'ada@acme.example', email_verified: true, nonce: attempt.nonce };
        const token = new SignJWT({ iss: issuer, aud: 'cadre', sub: '1', ...right, ...claims })
          .setProtectedHeader({ alg: 'RS256', kid: 'one' })
          .setIssuedAt()
          .setExpirationTime(claims.exp ?? '5m');
        const id_token = await token.sign(key ?? keys.privateKey);
        return { access_token: 'access', token_type: 'Bearer', id_token };
      },
    };
    const body = JSON.stringify(await paths[request.url ?? '']?.());
    response.statusCode = request.url === '/token' ? status : 200;
    response.setHeader('content-type', 'application/json');
    response.end(body);
  });
  const options = { issuer, clientId: 'cadre', clientSecret: 'secret', scopes: 'openid email' };
  return { issuer, client: openOpenid({ ...options, trustEmail: false, log: silentLog }) };
}

t.test('a token proves the person that it names', async (t) => {
  const { issuer, client } = await lyingProvider(t, {});
  const identity = await client.complete(
    attempt,
    { code: 'c', state: attempt.state, iss: issuer },
    redirectUrl,
  );
  t.strictSame(identity, {
    issuer,
    subject: '1',
    email: 'ada@acme.example',
    name: null,
    isEmailVerified: true,
  });
});

const lies: Record<string, Lie> = {
  nonce: { claims: { nonce: 'another' } },
  audience: { claims: { aud: 'another' } },
  issuer: { claims: { iss: 'https://another.example' } },
  expiry: { claims: { exp: 1 } },
  signature: { key: strange.privateKey },
};
for (const [name, lie] of Object.entries(lies))
  t.test(`a token with a wrong ${name} proves nobody`, async (t) => {
    const { issuer, client } = await lyingProvider(t, lie);
    const response = { code: 'c', state: attempt.state, iss: issuer };
    t.equal(await client.complete(attempt, response, redirectUrl), null);
  });

t.test('a response with a wrong state or issuer proves nobody', async (t) => {
  const { issuer, client } = await lyingProvider(t, {});
  const right = { code: 'c', state: attempt.state, iss: issuer };
  t.equal(await client.complete(attempt, { ...right, state: 'x'.repeat(43) }, redirectUrl), null);
  t.equal(await client.complete(attempt, { ...right, iss: 'https://another.example' }, redirectUrl), null);
  t.equal(await client.complete(attempt, { code: 'c', state: attempt.state }, redirectUrl), null);
});

t.test('a provider that fails is away', async (t) => {
  const { issuer, client } = await lyingProvider(t, { status: 503 });
  const response = { code: 'c', state: attempt.state, iss: issuer };
  await t.rejects(client.complete(attempt, response, redirectUrl), ProviderAway);
});
