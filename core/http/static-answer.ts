import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

interface StaticAnswer {
  type: string;
  /** `cache-control` */
  caching: string;
}

/** Answers the same bytes to everybody, from memory: compressed where the client takes that, and not at all where it has them. */
export function staticAnswer(bytes: Uint8Array, { type, caching }: StaticAnswer): (ctx: Context) => void {
  const plain = Buffer.from(bytes);
  const gzipped = gzipSync(plain, { level: 9 });
  // Weak: it stands for both encodings.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url')}"`;
  return (ctx) => {
    ctx.set({ 'cache-control': caching, etag });
    ctx.vary('accept-encoding');
    ctx.type = type;
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const gzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (gzip) ctx.set('content-encoding', 'gzip');
    ctx.body = gzip ? gzipped : plain;
  };
}
