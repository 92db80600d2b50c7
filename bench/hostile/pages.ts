import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { HostilePage } from './input.js';

const page = (name: string, html: () => Uint8Array, contentEncoding = ''): HostilePage => ({
  name: `page: ${name}`,
  contentEncoding,
  make: () => ({ bytes: html(), contentType: 'text/html; charset=utf-8', url: 'https://site.example/' }),
});
const text = (html: string) => new Uint8Array(Buffer.from(`<!doctype html><title>T</title><body>${html}`));
const zeros = () => Buffer.alloc(1024 * 1024 * 1024);

export const pages: HostilePage[] = [
  page('a gzip body of 1 GB', () => gzipSync(zeros()), 'gzip'),
  page('a brotli body of 1 GB', () => brotliCompressSync(zeros()), 'br'),
  page('a gzip body packed twice', () => gzipSync(gzipSync(zeros())), 'gzip, gzip'),
  page('a body packed five times', () => deflateSync('x'), 'gzip, gzip, gzip, gzip, gzip'),
  page('elements a million deep', () => text('<div>'.repeat(1_000_000))),
  page('open formatting elements', () => text('<b><i><u><p>'.repeat(500_000))),
  page('tables a million deep', () => text('<table><tr><td>'.repeat(500_000))),
  page('an element of 500,000 attributes', () =>
    text(`<p ${Array.from({ length: 500_000 }, (_, i) => `a${i}=1`).join(' ')}>Hello</p>`),
  ),
  page('a million paragraphs', () => text('<p>word'.repeat(1_000_000))),
  page('a table of a million cells', () =>
    text(`<table>${`<tr>${'<td>x'.repeat(100)}`.repeat(10_000)}</table>`),
  ),
  page('lists 100,000 deep', () => text('<ul><li>x'.repeat(100_000))),
  page('one text of 10 MB', () => text('word '.repeat(2_000_000))),
  page('a million entities', () => text('&CounterClockwiseContourIntegral;'.repeat(300_000))),
  page('a million misnested tags', () => text('<a><div></a></div>'.repeat(400_000))),
];
