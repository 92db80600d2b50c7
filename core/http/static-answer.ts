import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

interface StaticAnswer {
  type: string;
  /** `cache-control` */
  caching: string;
}

interface Prepared {
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

function prepare(bytes: Uint8Array): Prepared {
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    plain,
    gzipped: gzipSync(plain, { level: 9 }),
    // Weak: it stands for both encodings.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
  };
}

/**
 * Answers the same bytes to everybody, from memory: compressed where the client takes that, and not at all where it has them. They are
 * made and compressed for the first who asks: most processes are never asked.
 */
export function staticAnswer(
  make: () => Uint8Array,
  { type, caching }: StaticAnswer,
): (ctx: Context) => void {
  let prepared: Prepared | undefined;
  return (ctx) => {
    prepared ??= prepare(make());
    const { plain, gzipped, etag } = prepared;
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
