import { createHash } from 'node:crypto';
import { ApiError } from '../errors/api-error.js';
import { CLOCK_SKEW_MS, type Clock } from '../ports/clock.port.js';
import type { SignInCount, SignInCounts } from '../ports/store/people/sign-in-counts.js';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 15 * 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

/** Failures from which on the next attempt has to wait. */
const allowed = { device: 5, accountAndNetwork: 5, code: 5, network: 20, account: 50 };

interface Subject {
  name: string;
  allowed: number;
}

/** One attempt to sign in, which counts as failed until it succeeds. */
export interface Attempt {
  /** The first factor was right, or was not compared: takes the failure back. */
  passed(): Promise<void>;
  /** The sign-in is whole: forgets the failures of the account. */
  succeeded(userId: string): Promise<void>;
}

export interface Throttle {
  /**
   * Counts an attempt. Throws 503 with `Retry-After` while the account, the network or the device has to wait. Known
   * devices have a count of their own, so that a stranger cannot lock out the owner.
   */
  begin(of: {
    account: string;
    network: string;
    device: string | null;
    /** A code after the right first factor. Wrong ones count for the account, whatever the network. */
    isCode?: true;
  }): Promise<Attempt>;
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

function subjectsOf({ account, network, device, isCode }: Parameters<Throttle['begin']>[0]): Subject[] {
  if (device !== null) return [{ name: `device:${shortHash(device)}`, allowed: allowed.device }];
  const [who, from] = [shortHash(account), shortHash(network)];
  return [
    { name: `both:${who}:${from}`, allowed: allowed.accountAndNetwork },
    { name: `account:${who}`, allowed: allowed.account },
    ...(isCode ? [{ name: `code:${who}`, allowed: allowed.code }] : []),
    { name: `network:${from}`, allowed: allowed.network },
  ];
}

const waitAfter = (failures: number, { allowed }: Subject): number =>
  failures < allowed ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - allowed));

/** Counts failed sign-ins, exactly, over all processes and for parallel requests. */
export function createThrottle(counts: SignInCounts, clock: Clock): Throttle {
  async function count(subjects: readonly Subject[], by: 1 | -1): Promise<void> {
    const nowMs = clock.now();
    const change = (count: SignInCount, subject: Subject): SignInCount => {
      const isOld = nowMs - count.changedAtMs > FORGOTTEN_MS;
      const { failures, waitUntilMs } = isOld ? { failures: 0, waitUntilMs: 0 } : count;
      const waitMs = waitUntilMs - nowMs;
      // A longer wait was stored by a clock that was ahead.
      if (by === 1 && waitMs > 0 && waitMs <= LONGEST_WAIT_MS + CLOCK_SKEW_MS) throw mustWait(waitMs);
      const next = Math.max(0, failures + by);
      const wait = by === 1 ? waitAfter(next, subject) : 0;
      // Not `nowMs` without a wait: a parallel attempt with an earlier time would be refused.
      return { failures: next, waitUntilMs: wait === 0 ? 0 : nowMs + wait, changedAtMs: nowMs };
    };
    const names = subjects.map(({ name }) => name);
    const next = (found: readonly SignInCount[]) =>
      subjects.map((subject, n) => change(found[n] as SignInCount, subject));
    // Most attempts of an attacker have to wait: refuse them without a transaction.
    if (by === 1) next(await counts.find(names));
    await counts.change(names, next);
  }

  return {
    async begin(of) {
      const subjects = subjectsOf(of);
      await count(subjects, 1);
      const passed = (): Promise<void> => count(subjects, -1);
      const ofAccount = subjects.filter(({ name }) => !name.startsWith('network:'));
      const ofNetwork = subjects.filter(({ name }) => name.startsWith('network:'));
      return {
        passed,
        async succeeded(userId) {
          if (ofNetwork.length > 0) await count(ofNetwork, -1);
          await counts.clear(
            ofAccount.map(({ name }) => name),
            userId,
          );
        },
      };
    },
  };
}

const mustWait = (ms: number): ApiError =>
  new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'There were too many failed sign-ins. Wait, and try again.',
    headers: { 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) },
  });
