import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context } from 'koa';

const compress = promisify(gzip);

interface StaticResponse {
  type: string;
  /** `cache-control` */
  caching: string;
}

/** A response in both encodings. */
export interface Prepared {
  plain: Buffer;
  gzipped: Buffer;
  etag: string;
}

/** Compresses the bytes. The ETag also covers `headers`. */
export async function prepare(bytes: Uint8Array, headers = ''): Promise<Prepared> {
  const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    plain,
    // Compress in another thread, because a page may have a megabyte.
    gzipped: await compress(plain, { level: 9 }),
    etag: etagOf(plain, headers),
  };
}

/** Weak, because it covers both encodings. */
export const etagOf = (bytes: Uint8Array, headers = ''): string =>
  `W/"${createHash('sha256').update(bytes).update(headers).digest('base64url')}"`;

/**
 * Serves bytes from memory: compressed if the client accepts that, and with 304 if its copy is current. They are created
 * and compressed on the first request, because most processes never get one.
 */
export function staticResponse(
  make: () => Uint8Array,
  { type, caching }: StaticResponse,
): (ctx: Context) => Promise<void> {
  let prepared: Promise<Prepared> | undefined;
  return async (ctx) => {
    prepared ??= prepare(make());
    sendPrepared(ctx, await prepared, { type, caching });
  };
}

/** Sends bytes in the encoding that the client accepts, or 304 if its copy is current. */
export function sendPrepared(
  ctx: Context,
  { plain, gzipped, etag }: Prepared,
  { type, caching }: StaticResponse,
): void {
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
}
