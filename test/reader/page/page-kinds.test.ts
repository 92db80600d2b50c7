import { extractPage } from '../../../workers/threads/page.thread.js';
import t from '../../support/t.js';
import { contentOf, extractHtml } from './extract.js';
import { pageKinds } from './page-kinds.js';
import { pagesOfFrames } from './pages-of-frames.js';
import { pagesOfLinks } from './pages-of-links.js';
import { pagesOfNames } from './pages-of-names.js';
import { pagesOfNews, pagesOfRepeats } from './pages-of-news.js';
import { pagesOfNotes } from './pages-of-notes.js';
import { pagesOfParts } from './pages-of-parts.js';
import { pagesOfRepairs } from './pages-of-repairs.js';
import { pagesOfServices } from './pages-of-services.js';
import { pagesOfShops } from './pages-of-shops.js';
import { pagesOfSigns } from './pages-of-signs.js';
import { pagesOfThreads } from './pages-of-threads.js';

const all = [
  ...pageKinds,
  ...pagesOfParts,
  ...pagesOfNames,
  ...pagesOfNotes,
  ...pagesOfLinks,
  ...pagesOfFrames,
  ...pagesOfSigns,
  ...pagesOfRepairs,
  ...pagesOfThreads,
  ...pagesOfShops,
  ...pagesOfServices,
  ...pagesOfNews,
];

for (const { name, html, must, mustNot } of all) {
  t.test(name, async (t) => {
    const bytes = new TextEncoder().encode(html);
    const result = extractPage({
      bytes,
      contentType: 'text/html; charset=utf-8',
      url: 'https://site.example/page',
    });
    t.equal(result.ok, true, 'is content');
    if (!result.ok) return;
    const { text } = result.extraction;
    for (const part of must) t.ok(text.includes(part), `keeps: ${part}`, { text });
    for (const part of mustNot) t.notOk(text.includes(part), `leaves out: ${part}`, { text });
  });
}

for (const { name, html, timesOf } of pagesOfRepeats) {
  t.test(name, async (t) => {
    const { text } = contentOf(t, extractHtml(html));
    t.same(timesOf(text), [1, 1, 1], 'each sentence is there once', { text });
  });
}
