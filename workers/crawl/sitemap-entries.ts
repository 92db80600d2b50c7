import { setImmediate as othersFirst } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { limits } from '../../core/schemas/limits.js';
import { TaskFailure } from '../../core/tasks/failures.js';

/** What a sitemap lists: a page, or another sitemap. */
export interface SitemapEntry {
  kind: 'page' | 'sitemap';
  url: string;
}

/** Between two of them everybody else gets on. */
const SLICE_BYTES = 64 * 1024;
const ENTRIES_AT_A_TIME = 500;

const kinds: Readonly<Record<string, SitemapEntry['kind']>> = { url: 'page', sitemap: 'sitemap' };
const roots: readonly string[] = ['urlset', 'sitemapindex'];

const noSitemap = (): TaskFailure =>
  new TaskFailure('CONTENT_TYPE_UNSUPPORTED', {
    message:
      'The URL leads to no sitemap: neither XML with urlset or sitemapindex, nor a text with one URL in a line.',
  });

/** A name without its namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/**
 * The entries of a sitemap, as XML (sitemaps.org) or as a text with one URL in a line. Throws TaskFailure for
 * anything else. Entities other than those of XML itself are not expanded.
 */
export async function* sitemapEntries(bytes: Uint8Array): AsyncGenerator<SitemapEntry> {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, SLICE_BYTES));
  if (/^\s*</.test(text)) yield* xmlEntries(bytes);
  else yield* textEntries(bytes);
}

async function* xmlEntries(bytes: Uint8Array): AsyncGenerator<SitemapEntry> {
  let found: SitemapEntry[] = [];
  /** Names of the open elements; pictures and videos of a page have addresses of their own, one level further down. */
  const open: string[] = [];
  let isSitemap = false;
  let url = '';
  const locates = (): boolean => open.length === 3 && open[2] === 'loc';
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(local(name));
        if (open.length === 1) isSitemap = roots.includes(local(name));
        url = '';
      },
      ontext(more) {
        if (locates() && url.length <= limits.url.max) url += more;
      },
      onclosetag() {
        const kind = kinds[open[1] ?? ''];
        if (locates() && kind && isSitemap) found.push({ kind, url: url.trim() });
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder('utf-8');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    parser.write(decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true }));
    if (!isSitemap && open.length > 0) throw noSitemap();
    yield* found;
    found = [];
    await othersFirst();
  }
  parser.end();
  yield* found;
  if (!isSitemap) throw noSitemap();
}

async function* textEntries(bytes: Uint8Array): AsyncGenerator<SitemapEntry> {
  const lines = new TextDecoder('utf-8').decode(bytes).split('\n');
  const urls = lines.map((line) => line.trim()).filter(Boolean);
  if (!urls[0] || !/^https?:\/\//i.test(urls[0])) throw noSitemap();
  for (const [n, url] of urls.entries()) {
    if (n % ENTRIES_AT_A_TIME === ENTRIES_AT_A_TIME - 1) await othersFirst();
    yield { kind: 'page', url };
  }
}
