import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { file, type HostileInput } from './input.js';

const MB = 1_000_000;
const bytes = (content: string) => new Uint8Array(Buffer.from(content));
const zeros = () => Buffer.alloc(1024 * 1024 * 1024);

const compressed = (name: string, contentEncoding: string, make: () => Uint8Array): HostileInput => ({
  name: `page: ${name}`,
  kind: 'page',
  contentEncoding,
  make,
});
const page = (name: string, html: () => string): HostileInput =>
  compressed(name, '', () => bytes(`<!doctype html><title>T</title><body>${html()}`));
const sitemap = (name: string, xml: () => string): HostileInput => ({
  name: `sitemap: ${name}`,
  kind: 'sitemap',
  make: () => gzipSync(xml()),
});
/** The crawler reads 500 KiB. */
const robots = (name: string, line: (n: number) => string): HostileInput => ({
  name: `robots.txt: ${name}`,
  kind: 'robots',
  make() {
    let text = 'User-agent: *\n';
    for (let n = 0; text.length < 500 * 1024; n += 1) text += line(n);
    return Buffer.from(text).subarray(0, 500 * 1024);
  },
});

export const web: HostileInput[] = [
  file('a.txt', 'one line of 50 MB', () => bytes('x'.repeat(50 * MB))),
  file('a.txt', '25 million accents on one letter', () => bytes(`a${'\u0315\u0300'.repeat(12 * MB)}`)),
  file('a.txt', '16 million ligatures', () => bytes('\ufdfa'.repeat(16 * MB))),
  file('a.md', '12 million code fences', () => bytes('```\n'.repeat(12 * MB))),
  file('a.md', '50 MB of full stops', () => bytes('a. '.repeat(16 * MB))),
  compressed('a gzip body of 1 GB', 'gzip', () => gzipSync(zeros())),
  compressed('a brotli body of 1 GB', 'br', () => brotliCompressSync(zeros())),
  compressed('a body compressed five times', 'gzip, gzip, gzip, gzip, gzip', () => deflateSync('x')),
  page('elements nested a million deep', () => '<div>'.repeat(MB)),
  page('open formatting elements', () => '<b><i><u><p>'.repeat(500_000)),
  page('tables nested a million deep', () => '<table><tr><td>'.repeat(500_000)),
  page('an element with 500,000 attributes', () => {
    const attributes = Array.from({ length: 500_000 }, (_, i) => `a${i}=1`).join(' ');
    return `<p ${attributes}>Hello</p>`;
  }),
  page('a million entities', () => '&CounterClockwiseContourIntegral;'.repeat(300_000)),
  page('a million misnested tags', () => '<a><div></a></div>'.repeat(400_000)),
  sitemap('two million nested elements', () => `<urlset>${'<url>'.repeat(2 * MB)}`),
  sitemap('10 MB of entities in one URL', () => `<urlset><url><loc>${'&amp;'.repeat(2 * MB)}</loc>`),
  robots('one rule of letters to encode', (n) => (n === 0 ? 'Allow: /' : 'é')),
  robots('rules with wildcards', (n) => `Allow:*a${n.toString(36)}\n`),
];
