import type { IncomingMessage } from 'node:http';
import type { Context, Next } from 'koa';
import { EventsFull } from '../../channels/event-receiver.js';
import type { Social } from '../../channels/social.js';
import { ApiError, invalidBody, overloaded } from '../../errors/api-error.js';
import { limits } from '../../schemas/limits.js';
import type { Admission } from '../limits/admission.js';
import { createMemoryBudget, type MemoryShare } from '../limits/memory-budget.js';
import { receiveBody } from '../pipeline/receive-body.js';

const HOOK = '/hooks/social';

export const isHookPath = (path: string): boolean => path === HOOK;

/** Maximum time to receive a body, in milliseconds. Anyone can send one, because the signature is checked afterwards. */
const BODY_MS = 5000;
/** Minimum number of bytes that a body reserves. */
const LEAST = 4096;
/** How long an unread body may wait for memory, in milliseconds. */
const ROOM_MS = 1000;

/** Share of one address. Alone, it may hold a third of the memory. */
const ofAddress = (network: string): MemoryShare => ({ owner: network, ofFree: 0.5 });
/** Share of all networks outside of `channels.trustedNetworks`, if that is set: together a quarter of the memory. */
const STRANGERS: MemoryShare = { owner: '(strangers)', ofFree: 1 / 3 };
const PLATFORM: MemoryShare = { owner: '(platform)', ofFree: 1000 };

interface HookOptions {
  social: Pick<Social, 'channel' | 'receiver'>;
  bodyTimeoutMs: number;
  networkOf: (request: IncomingMessage) => string;
  /** Whether the client is in one of `channels.trustedNetworks`; null if the setting is empty. */
  isOfPlatform: ((request: IncomingMessage) => boolean) | null;
}

/** Receives the events of the platform, which authenticates itself with signatures. */
export function serveHooks(
  { social: { channel, receiver }, bodyTimeoutMs, networkOf, isOfPlatform }: HookOptions,
  { admitUnknown }: Pick<Admission, 'admitUnknown'>,
) {
  const memory = createMemoryBudget(limits.social.allEventBytes);

  function sharesOf(request: IncomingMessage): [MemoryShare, ...MemoryShare[]] {
    if (isOfPlatform === null) return [ofAddress(networkOf(request))];
    return isOfPlatform(request) ? [PLATFORM] : [ofAddress(networkOf(request)), STRANGERS];
  }

  async function receive(ctx: Context): Promise<void> {
    // Refuse a request without a signature before reading its body.
    if (!channel.isSigned(ctx.req.headers)) return refuse(ctx);
    const announced = Number(ctx.req.headers['content-length'] ?? limits.social.eventBytes);
    if (!(announced <= limits.social.eventBytes)) throw tooLarge();
    const hold = memory.hold(sharesOf(ctx.req));
    try {
      const raw = await receiveBody(ctx.req, {
        maxBytes: limits.social.eventBytes,
        timeoutMs: Math.min(bodyTimeoutMs, BODY_MS),
        grow: (size) => hold.growWithin(Math.max(size, LEAST), announced, ROOM_MS),
        tooLarge,
      });
      hold.set(Math.max(raw.length, LEAST));
      await admitUnknown(ctx, 'hooks', () => accept(ctx, raw));
    } finally {
      hold.set(0);
    }
  }

  async function accept(ctx: Context, raw: Buffer): Promise<void> {
    const parsed = channel.parse(ctx.req.headers, raw);
    if (!parsed.ok) {
      if (parsed.refusal === 'forbidden') return refuse(ctx);
      throw invalidBody('The body is not an event of the platform.');
    }
    await receiver.accept(parsed.events).catch((error: unknown) => {
      throw error instanceof EventsFull ? overloaded(error) : error;
    });
    ctx.status = 200;
    ctx.body = { received: true };
  }

  return async (ctx: Context, next: Next): Promise<void> => {
    if (!isHookPath(ctx.path)) return next();
    if (!channel.isConfigured || !['GET', 'POST'].includes(ctx.method))
      throw new ApiError('RESOURCE_NOT_FOUND');
    if (ctx.method === 'POST') return receive(ctx);
    const challenge = channel.verify(Object.fromEntries(new URLSearchParams(ctx.querystring)));
    if (challenge === null) return refuse(ctx);
    ctx.status = 200;
    ctx.type = 'text/plain';
    ctx.body = challenge;
  };
}

/** Responds 403 without a body. */
function refuse(ctx: Context): void {
  ctx.status = 403;
  ctx.body = null;
  ctx.status = 403;
}

const tooLarge = (): ApiError =>
  new ApiError('VALIDATION_INVALID_BODY', {
    status: 413,
    message: `The body is larger than ${limits.social.eventBytes} bytes.`,
  });
