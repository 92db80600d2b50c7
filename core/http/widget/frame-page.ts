import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Scheme } from '../../visitors/domains.js';
import type { OpenAgent } from '../../visitors/open-agent.js';
import { pageHeaders, typeOf } from '../pages/web-page.js';
import { etagOf, type Prepared, prepare, sendPrepared } from '../pipeline/static-response.js';
import { framePolicy } from './frame-policy.js';
import { frameSettingsOf } from './frame-settings.js';
import type { FrameSettings } from './frame-settings.schema.js';

/** Placeholder for the settings in the built page. */
const MARKER = '<!--settings-->';
const BUILD_CHARACTERS = 12;
const MIB = 1_048_576;
/** Bytes of pages to cache. */
const CACHED = 8 * MIB;

/** Encodes JSON for a script element. Escapes `<`, which could end the element or begin a comment. */
const scriptJson = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Returns the settings without `open`: browsers need not load the page again when the hours begin or end. */
const unchangingJson = ({ handover: { open: _, ...handover }, ...settings }: FrameSettings): string =>
  scriptJson({ ...settings, handover });

/** Where the page of an agent is shown. */
export interface PageAddress {
  /** True for the agent's page of its own, which no page may embed. */
  isWhole: boolean;
  /** Scheme of the page. */
  own: Scheme;
  /** Value of `connect-src`. */
  connect: string;
}

/** Returns a function that sends the page of an agent's widget. */
export function createFramePage(
  built: Uint8Array,
  now: () => number,
): (ctx: Context, agent: OpenAgent, at: PageAddress) => Promise<void> {
  const html = Buffer.from(built).toString('utf8');
  const build = createHash('sha256').update(html).digest('hex').slice(0, BUILD_CHARACTERS);
  /** Pages by all values on which they depend. */
  const pages = new LRUCache<string, Prepared>({
    maxSize: CACHED,
    sizeCalculation: ({ plain, gzipped }, key) => plain.length + gzipped.length + key.length,
  });

  const pageWith = (json: string): Buffer =>
    Buffer.from(html.replace(MARKER, () => `<script type="application/json" id="settings">${json}</script>`));

  return async (ctx, agent, at) => {
    const settings = { ...frameSettingsOf(agent, build, now()), isWhole: at.isWhole };
    const referer = ctx.req.headers.referer;
    const { csp, byReferer, isolation } = framePolicy(settings, { domains: agent.domains, referer, ...at });
    const json = scriptJson(settings);
    const key = `${json}\n${csp}`;
    let page = pages.get(key);
    if (!page) {
      page = {
        ...(await prepare(pageWith(json), csp)),
        etag: etagOf(pageWith(unchangingJson(settings)), csp),
      };
      pages.set(key, page);
    }
    ctx.set({ ...pageHeaders, ...isolation, 'content-security-policy': csp });
    if (at.isWhole) ctx.set('x-robots-tag', 'noindex');
    if (byReferer) ctx.vary('referer');
    sendPrepared(ctx, page, { type: typeOf('.html'), caching: 'no-cache' });
  };
}
