import { Parser } from 'htmlparser2';
import { limits } from '../../core/schemas/limits.js';
import { TaskFailure } from '../../core/tasks/failures.js';

export interface SitemapEntry {
  kind: 'page' | 'sitemap';
  url: string;
}

/** Maximum nesting depth. A sitemap needs three levels, and four with the image and video extensions. */
const MAX_DEPTH = 10;
/** Number of bytes that are searched for the start of XML. */
const HEAD_BYTES = 1024;

const kinds: Readonly<Record<string, SitemapEntry['kind']>> = { url: 'page', sitemap: 'sitemap' };
const roots: readonly string[] = ['urlset', 'sitemapindex'];

const noSitemap = (): TaskFailure =>
  new TaskFailure('CONTENT_TYPE_UNSUPPORTED', {
    message:
      'The URL does not lead to a sitemap. Submit the URL of an XML file with urlset or sitemapindex, or of a text with one URL per line.',
  });

/** Returns the local name, without the namespace prefix. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/**
 * Yields the entries of a sitemap: XML (sitemaps.org), or a text with one URL per line. Expands only the predefined
 * entities of XML. Throws TaskFailure: CONTENT_TYPE_UNSUPPORTED or SITEMAP_TOO_DEEP. Runs in a thread, because
 * hostile input is slow.
 */
export function* sitemapEntries(bytes: Uint8Array): Generator<SitemapEntry> {
  const decoder = new TextDecoder('utf-8');
  const isXml = /^\s*</.test(decoder.decode(bytes.subarray(0, HEAD_BYTES)));
  yield* isXml ? xmlEntries(decoder.decode(bytes)) : textEntries(decoder.decode(bytes));
}

function xmlEntries(text: string): SitemapEntry[] {
  const found: SitemapEntry[] = [];
  /** Names of the open elements. The URLs of a page's images and videos are one level deeper than its own. */
  const open: string[] = [];
  let isSitemap = false;
  let url = '';
  const locates = (): boolean => open.length === 3 && open[2] === 'loc';
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(local(name));
        if (open.length > MAX_DEPTH) throw new TaskFailure('SITEMAP_TOO_DEEP');
        if (open.length === 1) isSitemap = roots.includes(local(name));
        if (!isSitemap) throw noSitemap();
        url = '';
      },
      ontext(more) {
        if (locates() && url.length <= limits.url.max) url += more;
      },
      onclosetag() {
        const kind = kinds[open[1] ?? ''];
        if (locates() && kind) found.push({ kind, url: url.trim() });
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  if (!isSitemap) throw noSitemap();
  return found;
}

function* textEntries(text: string): Generator<SitemapEntry> {
  const urls = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (!urls[0] || !/^https?:\/\//i.test(urls[0])) throw noSitemap();
  for (const url of urls) yield { kind: 'page', url };
}
