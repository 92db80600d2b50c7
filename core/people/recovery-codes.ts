import { createHash, randomBytes } from 'node:crypto';
import { base32 } from './totp.js';

const CODES = 10;
/** 80 bits: too many to guess, so the hash needs no salt. */
const BYTES = 10;

/** Generates recovery codes such as `ABCD-EFGH-IJKL-MNOP`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => (base32(randomBytes(BYTES)).match(/.{4}/g) ?? []).join('-'));

/** Hashes a recovery code, typed in any case and with any separators. */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest('hex');
