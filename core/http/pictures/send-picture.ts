import type { Context, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Storage } from '../../ports/storage.port.js';
import type { Pictures } from '../../ports/store/agents/pictures.js';
import { cspOf } from '../pages/web-page.js';

/** Bytes of pictures to cache. */
const CACHED = 16 * 1_048_576;
/** How long browsers may show a picture after it was deleted, in seconds. */
const CACHE_S = 3600;

const policy = cspOf({ 'default-src': "'none'", 'frame-ancestors': "'none'" });
/** A picture cannot do anything, even if a browser opens it as a page. Other sites may show it. */
const headers = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': `${policy}; sandbox`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': `public, max-age=${CACHE_S}`,
};

/** Returns a function that sends the picture with a hash. */
export function createPictureResponse(
  pictures: Pick<Pictures, 'find'>,
  storage: Pick<Storage, 'get'>,
): (ctx: Context, hash: string, next: Next) => Promise<void> {
  const objects = new LRUCache<string, Buffer>({
    maxSize: CACHED,
    sizeCalculation: ({ length }) => length + 1,
    fetchMethod: async (path) => (await storage.get(path)) ?? undefined,
  });
  return async (ctx, hash, next) => {
    const picture = await pictures.find(hash);
    const bytes = picture && (await objects.fetch(picture.storagePath));
    if (!picture || !bytes) return next();
    ctx.set({ ...headers, etag: `"${hash}"` });
    ctx.type = picture.type;
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = bytes;
  };
}
