import t from 'tap';
import { extractPage } from '../../../../workers/extract/page.thread.js';
import { pageKinds } from './page-kinds.js';
import { pagesOfParts } from './pages-of-parts.js';

for (const { name, html, must, mustNot } of [...pageKinds, ...pagesOfParts]) {
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
