import { load } from 'cheerio';
import { corpusIsHere, folded, readCorpus, readLegacyEncodings } from '../../support/corpus/pages.js';
import { tokenScore } from '../../support/corpus/token-score.js';
import t from '../../support/t.js';
import { contentOf, extractHtml } from './extract.js';

const options = corpusIsHere() ? {} : { skip: 'the development set is not here' };

function spacedText(html: string): string {
  const $ = load(html);
  $('p, div, li, td, th, h1, h2, h3, h4, h5, h6, br, tr, pre, section, figcaption, blockquote, dt, dd')
    .after(' ')
    .before(' ');
  return $('body').text();
}

t.test('finds the main text of the development set', options, async (t) => {
  const scores: number[] = [];
  const missing: string[] = [];
  const noise: string[] = [];
  const otherTitles: string[] = [];
  let wanted = 0;
  let unwanted = 0;
  for (const page of readCorpus()) {
    const { text, title, metadata } = contentOf(t, extractHtml(page.bytes));
    const { f1 } = tokenScore(text, spacedText(page.expectedHtml));
    t.ok(f1 >= 0.6, `${page.name} ${f1.toFixed(3)}`);
    scores.push(f1);
    const flat = folded(text);
    missing.push(...page.mustContain.filter((part) => !flat.includes(folded(part))));
    noise.push(...page.shouldNotContain.filter((part) => flat.includes(folded(part))));
    wanted += page.mustContain.length;
    unwanted += page.shouldNotContain.length;
    const [ours, theirs] = [folded(title ?? ''), folded(page.title)];
    if (ours === '' || !(ours.includes(theirs) || theirs.includes(ours)))
      otherTitles.push(`${ours} / ${theirs}`);
    if (page.language !== null) t.equal(metadata.language, page.language, `language of ${page.name}`);
  }
  t.ok(scores.reduce((sum, f1) => sum + f1, 0) / scores.length >= 0.965, 'F1 on average');
  t.ok(otherTitles.length <= 1, `titles: ${otherTitles.join('\n')}`);
  t.ok(missing.length <= 0.03 * wanted, `missing: ${missing.join('\n')}`);
  t.ok(noise.length <= 0.05 * unwanted, `noise: ${noise.join('\n')}`);
});

t.test('reads charsets that only the page itself declares', options, async (t) => {
  for (const page of readLegacyEncodings()) {
    const { text, metadata, title } = contentOf(t, extractHtml(page.bytes));
    const flat = folded(text);
    for (const part of page.mustContain) t.ok(flat.includes(folded(part)), `${page.file}: ${part}`);
    // GBK and GB18030 share a decoder.
    t.equal(String(metadata.charset).replace(/^gbk$/, 'gb18030'), page.charset.toLowerCase());
    t.ok(folded(page.title).includes(folded(title ?? '?')), title ?? '');
  }
});

t.test('the same bytes give the same result', options, async (t) => {
  for (const page of readCorpus()) t.same(extractHtml(page.bytes), extractHtml(page.bytes), page.name);
});
