import { connect, delegationKeys, withIdentity } from '../../../adapters/azure-blob/azure-client.js';
import t from '../../support/t.js';

const hour = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hour);

function fakeKeys() {
  const calls: { startsOn: Date; expiresOn: Date }[] = [];
  const keyUntil = delegationKeys(async (startsOn, expiresOn) => {
    calls.push({ startsOn, expiresOn });
    if (calls.length === 1) throw new Error('first call fails');
    return {
      signedObjectId: String(calls.length),
      signedTenantId: 'tenant',
      signedStartsOn: startsOn,
      signedExpiresOn: expiresOn,
      signedService: 'b',
      signedVersion: '2023-11-03',
      value: '',
    };
  }, Date.now);
  return { calls, keyUntil };
}

t.test(
  'one delegation key signs many URLs, is requested again after a failure, and outlives its URLs',
  async (t) => {
    const { calls, keyUntil } = fakeKeys();
    await t.rejects(keyUntil(inHours(1)), /first call fails/);
    const keys = await Promise.all([keyUntil(inHours(1)), keyUntil(inHours(1)), keyUntil(inHours(20))]);
    t.equal(calls.length, 2);
    t.same(new Set(keys.map((key) => key.signedObjectId)), new Set(['2']));
    const until = inHours(48);
    await keyUntil(until);
    t.equal(calls.length, 3);
    t.ok((calls[2]?.expiresOn ?? 0) >= until);
    t.ok((calls[2]?.startsOn.getTime() ?? Number.NaN) < Date.now());
  },
);

t.test('no request is made before it is needed', async (t) => {
  let asked = 0;
  const credential = { getToken: async () => ({ token: String(++asked), expiresOnTimestamp: 0 }) };
  const { client } = await withIdentity('https://acme.blob.core.windows.net', 'cadre', credential, Date.now);
  t.equal(client.url, 'https://acme.blob.core.windows.net/cadre');
  t.equal(asked, 0);
  const same = await connect(
    { accountUrl: 'https://acme.blob.core.windows.net/', container: 'cadre' },
    Date.now,
  );
  t.equal(same.client.url, 'https://acme.blob.core.windows.net/cadre');
});
