import type { Context, Next } from 'koa';
import { EventsFull } from '../../channels/event-door.js';
import type { Social } from '../../channels/social.js';
import { ApiError, invalidBody, overloaded } from '../../errors/api-error.js';
import { inTime } from '../../fairness/time-limit.js';
import { limits } from '../../schemas/limits.js';
import { createMemoryBudget, type Hold, MemoryTaken } from '../memory-budget.js';

const HOOK = '/hooks/social';

export const isHookPath = (path: string): boolean => path === HOOK;

/** Owner of the memory of bodies. A budget gives one owner half of it. */
const OWNER = '(hooks)';

/** Maximum time to receive a body, in milliseconds. The signature is only checked after it, so anyone can send one. */
const BODY_MS = 5000;

/** Receives the events of the platform, which authenticates itself with signatures. */
export function serveHooks(social: Pick<Social, 'channel' | 'door'>, bodyTimeoutMs: number) {
  const memory = createMemoryBudget(2 * limits.social.allEventBytes);
  const { channel, door } = social;

  async function receive(ctx: Context): Promise<void> {
    // Before the body is read.
    if (!channel.isSigned(ctx.req.headers)) return refuse(ctx);
    const announced = Number(ctx.req.headers['content-length'] ?? limits.social.eventBytes);
    if (!(announced <= limits.social.eventBytes)) throw tooLarge();
    const hold = memory.hold(OWNER);
    try {
      const raw = await bytesOf(ctx, hold, Math.min(bodyTimeoutMs, BODY_MS));
      const parsed = channel.parse(ctx.req.headers, raw);
      if (!parsed.ok) {
        if (parsed.refusal === 'forbidden') return refuse(ctx);
        throw invalidBody('The body is not an event of the platform.');
      }
      await door.accept(parsed.events).catch((error: unknown) => {
        throw error instanceof EventsFull ? overloaded(error) : error;
      });
      ctx.status = 200;
      ctx.body = { received: true };
    } finally {
      hold.set(0);
    }
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

/** 403 without a body. */
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

/** Receives the body. Only received bytes are held: the length may be false. */
function bytesOf({ req }: Context, hold: Hold, timeoutMs: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isLate = false;
  async function receive(): Promise<Buffer> {
    // The rest of a refused body is discarded, so that the client can read the answer.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      if (isLate) break;
      size += (chunk as Buffer).length;
      if (size > limits.social.eventBytes) throw tooLarge();
      if (!hold.change(size)) throw overloaded(new MemoryTaken());
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  }
  const received = receive().catch((error: unknown) => {
    throw error instanceof ApiError ? error : invalidBody('The body could not be read.');
  });
  return inTime(timeoutMs, received, () => {
    isLate = true;
    chunks.length = 0;
    throw invalidBody('The body was not received in time.');
  });
}
