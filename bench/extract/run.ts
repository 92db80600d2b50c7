import path from 'node:path';
import { type CorpusPage, corpusIsHere, folded, readCorpus } from '../../test/support/corpus/pages.js';
import { tokenScore } from '../../test/support/corpus/token-score.js';
import { median } from '../figures.js';
import { htmlText, textOf } from '../readers/html-text.js';
import { type ReaderProcess, startReader } from '../readers/reader-process.js';
import { rival, rivalsAreHere } from '../readers/rivals.js';

/*
 * `npm run bench:extract [-- --missing]`: how well each tool finds the main text of the pages of the development set. Every tool reads the
 * same bytes in a process of its own; HTML that it answers is made into words in the same way as what is expected.
 */

const LIMIT_MS = 60_000;
const ours = (name: string): string => path.resolve(import.meta.dirname, '../readers', name);

interface Score {
  precision: number;
  recall: number;
  f1: number;
  missing: string[];
  noise: string[];
  ms: number;
}

async function score(reader: ReaderProcess, page: CorpusPage): Promise<Score> {
  const reading = await reader.read(page.path);
  const text = reading.end === 'read' ? textOf(reading.content) : '';
  const flat = folded(text);
  return {
    ...tokenScore(text, htmlText(page.expectedHtml)),
    missing: page.mustContain.filter((part) => !flat.includes(folded(part))),
    noise: page.shouldNotContain.filter((part) => flat.includes(folded(part))),
    ms: 'ms' in reading ? reading.ms : LIMIT_MS,
  };
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const cells = ({ precision, recall, f1 }: Score): string =>
  [precision, recall, f1].map((value) => value.toFixed(3)).join(' ');

function total(name: string, scores: Score[], pages: CorpusPage[]): string {
  const wanted = pages.flatMap((page) => page.mustContain).length;
  const unwanted = pages.flatMap((page) => page.shouldNotContain).length;
  const missing = scores.flatMap((one) => one.missing).length;
  const noise = scores.flatMap((one) => one.noise).length;
  const f1 = scores.map((one) => one.f1);
  return [
    name.padEnd(12),
    `P ${mean(scores.map((one) => one.precision)).toFixed(3)}`,
    `R ${mean(scores.map((one) => one.recall)).toFixed(3)}`,
    `F1 ${mean(f1).toFixed(3)} (min ${Math.min(...f1).toFixed(3)})`,
    `must ${percent((wanted - missing) / wanted)}`,
    `should not ${percent(noise / unwanted)}`,
    `median ${median(scores.map((one) => one.ms)).toFixed(1)} ms/page`,
  ].join('  ');
}

async function main(): Promise<void> {
  if (!corpusIsHere()) {
    console.log('The development set is not here: nothing to measure.');
    return;
  }
  const modules: Record<string, string> = { ours: ours('ours-page.ts') };
  if (rivalsAreHere()) {
    modules.readability = rival('readers/readability.js');
    modules.defuddle = rival('readers/defuddle.js');
  }
  modules.body = ours('whole-body.ts');
  const pages = readCorpus();
  const results = new Map<string, Score[]>();
  for (const [name, module] of Object.entries(modules)) {
    const reader = startReader(module, LIMIT_MS);
    const scores: Score[] = [];
    for (const page of pages) scores.push(await score(reader, page));
    reader.close();
    results.set(name, scores);
  }
  const names = [...results.keys()];
  console.log(`${'precision recall F1'.padEnd(32)}${names.map((name) => name.padEnd(20)).join('')}`);
  for (const [at, page] of pages.entries()) {
    const row = names.map((name) => {
      const one = results.get(name)?.[at];
      return one ? cells(one).padEnd(20) : '';
    });
    console.log(`${page.name.padEnd(32)}${row.join('')}`);
    if (!process.argv.includes('--missing')) continue;
    const own = results.get('ours')?.[at];
    for (const part of own?.missing ?? []) console.log(`  missing: ${part}`);
    for (const part of own?.noise ?? []) console.log(`  noise: ${part}`);
  }
  console.log();
  for (const [name, scores] of results) console.log(total(name, scores, pages));
  console.log('What is expected was written by Readability: its own row shows that, not how well it reads.');
}

await main();
