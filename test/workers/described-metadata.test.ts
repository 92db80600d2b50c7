import type { Test } from 'tap';
import { outputProblems } from '../../core/http/validation/validate.js';
import { sourceMetadata } from '../../core/knowledge/sources/source-metadata.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { extractFile } from '../../workers/threads/file.thread.js';
import { sampleFiles } from '../support/sample-files.js';
import { scriptedSite } from '../support/scripted-site.js';
import t from '../support/t.js';
import { crawlerOf, ending, noThreads } from './crawl/local-site.js';

/*
 * Everything that workers report becomes `sourceMetadata`: all of it must be described, and required fields must be
 * present.
 */

const SITE = 'https://docs.acme.com';
const VIDEO = 'https://vimeo.com';
const contentHash = 'a column of its own';
const sentence = (kind: string) => `A sentence that is found in the ${kind} file.`;

async function web(t: Test) {
  const site = await scriptedSite();
  const crawler = crawlerOf(
    { resolve: { [SITE]: site.origin, [VIDEO]: site.origin } },
    { threads: noThreads },
  );
  t.teardown(async () => {
    await crawler.close();
    await site.close();
  });
  return {
    site,
    async metadataOf(url: string): Promise<JsonObject> {
      const { outcome, failure } = await ending(crawler, { url });
      if (outcome?.kind !== 'extracted') throw new Error(`${url}: ${failure?.message}`);
      return outcome.extraction.metadata;
    },
  };
}

function described(t: Test, type: keyof typeof sourceMetadata, metadata: JsonObject, name: string) {
  t.same(outputProblems(sourceMetadata[type], { ...metadata, contentHash }), [], name);
  const known = Object.keys(sourceMetadata[type].properties);
  t.same(
    Object.keys(metadata).filter((field) => !known.includes(field)),
    [],
    `${name}: fields without a description`,
  );
}

const page = (html: string) =>
  `<!doctype html><html><body><main><h1>Title</h1><p>${'The terms of delivery in detail. '.repeat(20)}</p>${html}</main></body></html>`;

t.test('pages and documents on the web', async (t) => {
  const { site, metadataOf } = await web(t);
  site.serve('/page', page('<p class="byline">By Ada</p>').replace('<html>', '<html lang="en-GB">'), {
    'content-type': 'text/html; charset=utf-8',
    'content-language': 'de',
    etag: '"1"',
  });
  site.serve('/silent', page(''), { 'content-type': 'text/html', 'content-language': 'de' });
  site.serve('/notes.txt', sentence('text'), { 'content-type': 'text/plain' });
  site.serve('/notes.md', `# Notes\n\n${sentence('md')}`, { 'content-type': 'text/markdown' });
  for (const path of ['/page', '/silent', '/notes.txt', '/notes.md'])
    described(t, 'web_crawl', await metadataOf(SITE + path), path);
  t.match(await metadataOf(`${SITE}/page`), {
    url: `${SITE}/page`,
    finalUrl: `${SITE}/page`,
    status: 200,
    contentType: 'text/html; charset=utf-8',
    charset: 'utf-8',
    language: 'en-GB',
    contentKind: 'html',
    bytes: Number,
    chunks: 1,
    truncated: false,
    etag: '"1"',
  });
  t.match(
    await metadataOf(`${SITE}/silent`),
    { language: 'de' },
    'where the page says nothing, the response does',
  );
  for (const { fileName, type, bytes } of sampleFiles(sentence)) {
    site.serve(`/${fileName}`, Buffer.from(bytes), { 'content-type': type });
    const metadata = await metadataOf(`${SITE}/${fileName}`);
    described(t, 'web_crawl', metadata, fileName);
    t.equal(metadata.contentType, type, fileName);
  }
});

t.test('videos', async (t) => {
  const { site, metadataOf } = await web(t);
  site.serve('/1', page('<video><track kind="captions" srclang="en" src="/en.vtt"></video>'));
  site.serve('/en.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nGood morning everybody\n', {
    'content-type': 'text/vtt',
  });
  const metadata = await metadataOf(`${VIDEO}/1`);
  described(t, 'web_crawl', metadata, 'video');
  t.match(metadata, {
    contentKind: 'transcript',
    captionsUrl: `${VIDEO}/en.vtt`,
    captionsAutomatic: false,
    cues: 1,
    language: 'en',
  });
});

t.test('uploaded files', async (t) => {
  const counts: Record<string, object> = {
    pdf: { pages: 1 },
    xlsx: { sheets: 1, hiddenSheets: 0 },
    pptx: { slides: 1 },
  };
  for (const { fileName, type, bytes } of sampleFiles(sentence)) {
    const result = await extractFile({ bytes: Uint8Array.from(bytes), fileName });
    if (!result.ok) throw new Error(result.failure.message);
    const { metadata } = result.extraction;
    described(t, 'file_upload', { fileName, bytes: bytes.length, ...metadata }, fileName);
    const kind = fileName.split('.')[1] ?? '';
    t.match(metadata, { contentKind: kind, contentType: type, truncated: false, chunks: 1, ...counts[kind] });
  }
});
