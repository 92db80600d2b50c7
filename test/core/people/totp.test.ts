import { base32, newTotpSecret, stepAt, stepOf, totpCode, totpUri } from '../../../core/people/totp.js';
import t from '../../support/t.js';

t.test('codes are those of RFC 6238, appendix B', async (t) => {
  const secret = Buffer.from('12345678901234567890');
  for (const [time, code] of [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const)
    t.equal(totpCode(secret, stepAt(time), 8), code, `at ${time}`);
});

t.test('base32 is that of RFC 4648, section 10, without padding', async (t) => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    t.equal(base32(Buffer.from(text)), encoded);
});

t.test('a code is right one step early and late, and no further', async (t) => {
  const secret = newTotpSecret();
  const now = 1_800_000_000;
  for (const drift of [-1, 0, 1])
    t.equal(stepOf(secret, totpCode(secret, stepAt(now) + drift), now), stepAt(now) + drift);
  const near = [-1, 0, 1].map((drift) => totpCode(secret, stepAt(now) + drift));
  for (const drift of [-2, 2]) {
    const code = totpCode(secret, stepAt(now) + drift);
    if (!near.includes(code)) t.equal(stepOf(secret, code, now), null);
  }
  for (const code of ['', '12345', '1234567', 'abcdef']) t.equal(stepOf(secret, code, now), null);
});

t.test('the address for apps names the issuer and the account', async (t) => {
  const secret = Buffer.from('12345678901234567890');
  t.equal(
    totpUri(secret, 'ada+x@acme.example'),
    'otpauth://totp/Cadre:ada%2Bx%40acme.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Cadre',
  );
});
