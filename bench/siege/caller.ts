import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from './installation.js';
import type { Random } from './random.js';
import type { Slot } from './slot.js';
import type { Tally } from './tally.js';

/**
 * Result of a request. `done`: acknowledged. `refused`: 4xx, nothing changed. `unknown`: no response or a fault; it may
 * have taken effect, or may still do so.
 */
export type Outcome<T> =
  | { kind: 'done'; status: number; body: T }
  | { kind: 'refused'; status: number; code: string }
  | { kind: 'unknown' };

export interface Caller {
  /** Uses a random one of the APIs. */
  call<T>(method: string, path: string, body?: object): Promise<Outcome<T>>;
  /** PUTs to a signed URL; true if it was accepted. */
  put(uploadUrl: string, type: string, bytes: Uint8Array): Promise<boolean>;
  /** Records a text that no client may ever see. */
  wrong(what: string): void;
}

/** Longer than any timeout of the service. */
export const CLIENT_TIMEOUT_MS = 90_000;
const NOBODY_HOME_MS = 200;
const DEATH_NOTICE_MS = 500;
const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;

export function createCaller(
  { apis, workspace }: Installation,
  { tally, random, wrong }: { tally: Tally; random: Random; wrong: (what: string) => void },
): Caller {
  /** Whether the client noticed a process that the siege had killed. */
  async function causedByDeath(slot: Slot, incarnation: number): Promise<boolean> {
    if (slot.process === null || slot.incarnation !== incarnation) return true;
    await sleep(DEATH_NOTICE_MS);
    return slot.process === null || slot.incarnation !== incarnation;
  }

  function judge<T>(what: string, response: Response, text: string): Outcome<T> {
    const { status, headers } = response;
    const bad = (why: string): Outcome<T> => {
      wrong(`${what}: ${status}, ${why}: ${text.slice(0, 300)}`);
      return { kind: 'unknown' };
    };
    if (!requestIdForm.test(headers.get('x-request-id') ?? '')) return bad('no request id');
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return bad('no JSON');
    }
    if (status >= 200 && status < 300) {
      tally.add('answers: 2xx');
      return { kind: 'done', status, body: body as T };
    }
    const code = (body as { error?: { code?: string } }).error?.code;
    if (typeof code !== 'string') return bad('an error without a code');
    tally.add(`answers: ${status} ${code}`);
    return status >= 500 ? { kind: 'unknown' } : { kind: 'refused', status, code };
  }

  return {
    wrong,
    async call<T>(method: string, path: string, body?: object): Promise<Outcome<T>> {
      const slot = random.pick(apis);
      const { incarnation, process: target } = slot;
      if (target === null) {
        tally.add('answers: no connection (that API was dead)');
        await sleep(NOBODY_HOME_MS);
        return { kind: 'unknown' };
      }
      const what = `${method} ${path} by ${slot.name}`;
      let response: Response;
      let text: string;
      try {
        response = await fetch(`${target.baseUrl}/api/v2${path}`, {
          method,
          headers: {
            authorization: `Bearer ${workspace.apiKey}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
          signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
        });
        text = await response.text();
      } catch (error) {
        if ((error as Error).name === 'TimeoutError') {
          tally.add(`answers: none within ${CLIENT_TIMEOUT_MS / 1000} s`);
          wrong(`${what}: no answer within ${CLIENT_TIMEOUT_MS} ms`);
        } else if (await causedByDeath(slot, incarnation)) {
          tally.add('answers: connection lost (that API was killed)');
        } else {
          tally.add('answers: connection lost (that API lived)');
          const { message, cause } = error as Error;
          wrong(`${what}: ${message}, ${String(cause)}, and that API lives`);
        }
        return { kind: 'unknown' };
      }
      return judge(what, response, text);
    },
    async put(uploadUrl, type, bytes) {
      try {
        const { status } = await fetch(uploadUrl, {
          method: 'PUT',
          headers: { 'content-type': type },
          body: Buffer.from(bytes),
          signal: AbortSignal.timeout(CLIENT_TIMEOUT_MS),
        });
        tally.add(`uploads: ${status}`);
        return status === 201;
      } catch {
        tally.add('uploads: connection lost');
        return false;
      }
    },
  };
}
