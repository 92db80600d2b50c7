import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { load } from 'cheerio';
import { silentLog } from '../../core/ports/log.port.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { type CorpusFile, filesAreHere, folders, readFolder } from '../../test/support/corpus/files.js';
import { extras, problemOf } from '../../test/support/corpus/judge.js';
import { type CorpusPage, corpusIsHere, folded, readCorpus } from '../../test/support/corpus/pages.js';
import { corpusSamples, unlikeReadings } from '../../test/support/corpus/repeated-readings.js';
import { tokenScore } from '../../test/support/corpus/token-score.js';
import { someone } from '../../test/support/someone.js';
import type { ExtractResult } from '../../workers/threads/extract-threads.js';
import { createPools } from '../../workers/threads/pools.js';
import { median } from '../figures.js';

/*
 * `npm run bench:reading [-- --failures]`: reads every page and file of the development corpus in the threads of a
 * worker. Prints how much of the expected text was found, which files did not meet their expectation, pages and
 * megabytes per second, and the peak memory. With `--failures` also what is missing.
 */

const ROUNDS = 5;
const THREADS = availableParallelism();
const showFailures = process.argv.includes('--failures');
const pools = createPools({ threads: THREADS, threadMemoryMb: 512, timeoutMs: 30_000 }, silentLog);
const threads = pools.of(someone);
const { signal } = new AbortController();

/** Failures that threads reject with, as results. */
const settled = (reading: Promise<ExtractResult>): Promise<ExtractResult> =>
  reading.catch((error: unknown) => {
    if (error instanceof TaskFailure) return { ok: false, failure: error.failure };
    throw error;
  });

const readPage = ({ bytes, name }: CorpusPage): Promise<ExtractResult> =>
  settled(
    threads.page(
      { bytes: Uint8Array.from(bytes), contentType: 'text/html', url: `https://site.example/${name}` },
      signal,
    ),
  );
const readFile = (file: CorpusFile): Promise<ExtractResult> =>
  settled(
    threads.file(
      { bytes: new Uint8Array(readFileSync(file.path)), fileName: path.basename(file.path) },
      signal,
    ),
  );

const blocks =
  'p, div, li, td, th, h1, h2, h3, h4, h5, h6, br, tr, pre, section, article, figcaption, blockquote, dt, dd';

/** Words of the expected HTML, separated between blocks. */
function htmlText(html: string): string {
  const $ = load(html);
  $('script, style, noscript, template').remove();
  $(blocks).after(' ').before(' ');
  return $('body').text();
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

async function pageQuality(pages: CorpusPage[]): Promise<void> {
  const scores = [];
  let [missing, noise] = [0, 0];
  for (const page of pages) {
    const result = await readPage(page);
    const text = result.ok ? result.extraction.text : '';
    const flat = folded(text);
    const lacking = page.mustContain.filter((part) => !flat.includes(folded(part)));
    const unwanted = page.shouldNotContain.filter((part) => flat.includes(folded(part)));
    missing += lacking.length;
    noise += unwanted.length;
    scores.push(tokenScore(text, htmlText(page.expectedHtml)));
    if (!showFailures) continue;
    for (const part of lacking) console.log(`  ${page.name} misses: ${part}`);
    for (const part of unwanted) console.log(`  ${page.name} has noise: ${part}`);
  }
  const wanted = pages.flatMap((page) => page.mustContain).length;
  const unwanted = pages.flatMap((page) => page.shouldNotContain).length;
  console.log(`${pages.length} pages`);
  console.table([
    {
      precision: mean(scores.map(({ precision }) => precision)).toFixed(3),
      recall: mean(scores.map(({ recall }) => recall)).toFixed(3),
      F1: mean(scores.map(({ f1 }) => f1)).toFixed(3),
      'lowest F1': Math.min(...scores.map(({ f1 }) => f1)).toFixed(3),
      'expected sentences': percent((wanted - missing) / wanted),
      'unwanted sentences': percent(noise / unwanted),
    },
  ]);
}

async function fileQuality(): Promise<void> {
  const table: Record<string, object> = {};
  for (const folder of folders) {
    const files = readFolder(folder);
    let [met, found, all] = [0, 0, 0];
    for (const file of files) {
      const result = await readFile(file);
      const problem = problemOf(result, file);
      const [foundHere, of] = extras(result, file);
      if (problem === null) met += 1;
      else if (showFailures) console.log(`  ${file.file}: ${problem}`);
      found += foundHere;
      all += of;
    }
    table[folder] = { files: files.length, met, extras: `${found}/${all}` };
  }
  console.table(table);
  const unlike = await unlikeReadings(corpusSamples());
  console.log(`Files and pages with different results when read again: ${unlike.join(', ') || 'none'}`);
}

/** Runs `read` on all items in all threads; prints items per second, and the sum of `size` per second. */
async function speed<T>(
  unit: string,
  items: T[],
  read: (item: T) => Promise<unknown>,
  size: (item: T) => number,
) {
  const amount = items.reduce((sum, item) => sum + size(item), 0);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = items.values();
    const began = performance.now();
    await Promise.all(
      Array.from({ length: THREADS }, async () => {
        for (const item of next) await read(item);
      }),
    );
    rates.push((amount * 1000) / (performance.now() - began));
  }
  console.log(
    `${median(rates).toFixed(1)} ${unit} per second (${rates.map((rate) => rate.toFixed(1)).join(', ')})`,
  );
}

if (corpusIsHere()) {
  const pages = readCorpus();
  await pageQuality(pages);
  await speed('pages', pages, readPage, () => 1);
} else console.log('The pages of the development corpus are missing.');
if (filesAreHere()) {
  await fileQuality();
  const texts = folders.flatMap(readFolder).filter(({ expect }) => expect === 'text');
  await speed('MB of files', texts, readFile, ({ path: file }) => readFileSync(file).length / 1e6);
} else console.log('The files of the development corpus are missing.');
await pools.close();
console.log(`Peak memory: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
