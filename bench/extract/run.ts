import { Readability } from '@mozilla/readability';
import { load } from 'cheerio';
import { parseHTML } from 'linkedom';
import { extractPage } from '../../workers/extract/page.thread.js';
import { type CorpusPage, folded, readCorpus } from './corpus.js';
import { type TokenScore, tokenScore } from './token-score.js';

/** Prints how well extractors find the main text of the development set. Usage: node --import=tsx bench/extract/run.ts [--missing] */
type Extractor = (page: CorpusPage, html: string) => string;

const extractors: Record<string, Extractor> = {
  ours: (page) => {
    const result = extractPage({
      bytes: page.bytes,
      contentType: 'text/html',
      url: `https://site.example/${page.name}`,
    });
    return result.ok ? result.extraction.text : '';
  },
  readability: (_page, html) => {
    const { document } = parseHTML(html);
    return new Readability(document).parse()?.textContent ?? '';
  },
  body: (_page, html) => plainText(html),
};

function plainText(html: string): string {
  const $ = load(html);
  $('script, style, noscript, template').remove();
  return spaced($);
}

function spaced($: ReturnType<typeof load>): string {
  $(
    'p, div, li, td, th, h1, h2, h3, h4, h5, h6, br, tr, pre, section, article, figcaption, blockquote, dt, dd',
  )
    .after(' ')
    .before(' ');
  return $('body').text();
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function main(): void {
  const pages = readCorpus();
  const names = Object.keys(extractors);
  const totals = new Map(
    names.map((name) => [
      name,
      { precision: 0, recall: 0, f1: 0, found: 0, wanted: 0, noise: 0, unwanted: 0, ms: 0, min: 1 },
    ]),
  );
  for (const page of pages) {
    const html = new TextDecoder().decode(page.bytes);
    const expected = plainText(page.expectedHtml);
    const columns: string[] = [];
    for (const name of names) {
      const extractor = extractors[name];
      const total = totals.get(name);
      if (extractor === undefined || total === undefined) continue;
      const started = performance.now();
      const text = extractor(page, html);
      total.ms += performance.now() - started;
      const score: TokenScore = tokenScore(text, expected);
      const flat = folded(text);
      const missing = page.mustContain.filter((part) => !flat.includes(folded(part)));
      const noise = page.shouldNotContain.filter((part) => flat.includes(folded(part)));
      total.precision += score.precision;
      total.recall += score.recall;
      total.f1 += score.f1;
      total.min = Math.min(total.min, score.f1);
      total.wanted += page.mustContain.length;
      total.found += page.mustContain.length - missing.length;
      total.unwanted += page.shouldNotContain.length;
      total.noise += noise.length;
      columns.push(`${name} ${score.precision.toFixed(3)} ${score.recall.toFixed(3)} ${score.f1.toFixed(3)}`);
      if (name === 'ours' && process.argv.includes('--missing')) {
        for (const part of missing) console.log(`  missing: ${part}`);
        for (const part of noise) console.log(`  noise: ${part}`);
      }
    }
    console.log(`${page.name.padEnd(32)}${columns.join('   ')}`);
  }
  for (const [name, total] of totals) {
    console.log(
      `${name.padEnd(12)} P ${(total.precision / pages.length).toFixed(3)}  R ${(total.recall / pages.length).toFixed(3)}  ` +
        `F1 ${(total.f1 / pages.length).toFixed(3)} (min ${total.min.toFixed(3)})  must ${percent(total.found / total.wanted)}  ` +
        `should not ${percent(total.noise / total.unwanted)}  ${(total.ms / pages.length).toFixed(1)} ms/page`,
    );
  }
}

main();
