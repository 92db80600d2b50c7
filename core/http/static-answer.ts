import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

const compress = promisify(gzip);

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

async function prepare(bytes: Uint8Array): Promise<Prepared> {
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    plain,
    // Beside the event loop: a page may have a megabyte, and others wait for their answers.
    gzipped: await compress(plain, { level: 9 }),
    // Weak: it stands for both encodings.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
  };
}

/**
 * Answers the same bytes to everybody, from memory: compressed if the client accepts that, and not at all if
 * it has them. They are made and compressed for the first who asks, because most processes are never asked.
 */
export function staticAnswer(
  make: () => Uint8Array,
  { type, caching }: StaticAnswer,
): (ctx: Context) => Promise<void> {
  let prepared: Promise<Prepared> | undefined;
  return async (ctx) => {
    prepared ??= prepare(make());
    const { plain, gzipped, etag } = await prepared;
    ctx.set({ 'cache-control': caching, etag });
    ctx.vary('accept-encoding');
    ctx.type = type;
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const isZipped = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) ctx.set('content-encoding', 'gzip');
    ctx.body = isZipped ? gzipped : plain;
  };
}
