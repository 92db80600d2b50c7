import { gzipSync } from 'node:zlib';
import type { HostileSiteFile } from './input.js';

const sitemap = (name: string, xml: () => string): HostileSiteFile => ({
  name: `sitemap: ${name}`,
  kind: 'sitemap',
  make: () => gzipSync(xml()),
});
/** As much as the crawler reads. */
const ROBOTS_BYTES = 500 * 1024;
const robots = (name: string, line: (n: number) => string): HostileSiteFile => ({
  name: `robots.txt: ${name}`,
  kind: 'robots',
  make() {
    let text = 'User-agent: *\n';
    for (let n = 0; text.length < ROBOTS_BYTES; n += 1) text += line(n);
    return Buffer.from(text).subarray(0, ROBOTS_BYTES);
  },
});

export const siteFiles: HostileSiteFile[] = [
  sitemap('two million nested elements', () => `<urlset>${'<url>'.repeat(2_000_000)}`),
  sitemap('a million empty elements', () => `<urlset>${'<url/>'.repeat(1_700_000)}`),
  sitemap('an element of 500,000 attributes', () => {
    const attributes = Array.from({ length: 500_000 }, (_, n) => `a${n}=""`).join(' ');
    return `<urlset ${attributes}><url><loc>https://site.example/</loc></url></urlset>`;
  }),
  sitemap('100,000 URLs', () => {
    const urls = Array.from({ length: 100_000 }, (_, n) => `<url><loc>https://site.example/${n}</loc></url>`);
    return `<urlset>${urls.join('')}</urlset>`;
  }),
  sitemap('10 MB of entities in one URL', () => `<urlset><url><loc>${'&amp;'.repeat(2_000_000)}</loc>`),
  robots('one rule of letters to encode', (n) => (n === 0 ? 'Allow: /' : 'é')),
  robots('rules with wildcards', (n) => `Allow:*a${n.toString(36)}\n`),
  robots('empty lines', () => '\n'),
];
