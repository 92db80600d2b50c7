import { base32, stepAt, totpCode } from '../../core/people/totp.js';
import { type TestBrowser, testPassword } from './browser.js';

/** An authenticator app: the codes of one secret. */
export interface TestApp {
  /** The code `steps` after the current one. */
  code(steps?: number): string;
  recoveryCodes: string[];
}

const decoded = (secret: string): Uint8Array => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((one) => alphabet.indexOf(one).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  if (base32(bytes) !== secret) throw new Error(`not base32: ${secret}`);
  return bytes;
};

export function testApp(secret: string, now: () => number = Date.now): TestApp {
  const bytes = decoded(secret);
  return { code: (steps = 0) => totpCode(bytes, stepAt(now() / 1000) + steps), recoveryCodes: [] };
}

/** Turns two-factor authentication on for a signed-in person, with the code of the step before this one. */
export async function enrol(browser: TestBrowser, now?: () => number): Promise<TestApp> {
  const offer = await browser.session<{ secret: string }>('/totp', { password: testPassword });
  if (offer.status !== 200) throw new Error(`offering: ${offer.status} ${offer.text}`);
  const app = testApp(offer.body.secret, now);
  const sent = { password: testPassword, code: app.code(-1) };
  const done = await browser.session<{ recoveryCodes: string[] }>('/totp', sent);
  if (done.status !== 200) throw new Error(`enrolling: ${done.status} ${done.text}`);
  return { ...app, recoveryCodes: done.body.recoveryCodes };
}
