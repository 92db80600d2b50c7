import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { rival, rivalsAreHere } from '../readers/rivals.js';
import { contest } from './contest.js';
import { documentsReadByAll, megabytes } from './documents/documents.js';
import { report } from './report.js';

/*
 * `npm run bench:speed [-- --rounds=5 --pages=400 --times=3] [pages] [plain-pages] [documents]`: a worker's pages and documents per second,
 * beside others in the same run, round by round in turn. Plain pages are short, clean and made; the others are half real ones.
 */

const option = (name: string, otherwise: number): number =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise);
const chosen = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part);
const ours = (file: string): string => path.join(import.meta.dirname, file);
const rounds = option('rounds', 5);

async function pagesPerSecond(kind: 'mixed' | 'plain', rivals: boolean): Promise<void> {
  const count = option('pages', 400);
  const site = fork(ours('pages/site.ts'), [String(count), kind], { execArgv: ['--import=tsx'] });
  const [urls] = await once(site, 'message');
  const modules = {
    ours: ours('pages/ours.ts'),
    ...(rivals ? { crawlee: rival('crawlee-pages.js') } : {}),
    'fetch loop': ours('pages/fetch-loop.ts'),
  };
  console.log(`${count} ${kind} pages of a local site, ${rounds} rounds`);
  report(await contest(modules, urls, rounds), 'page', count);
  site.kill();
}

/** Every file so often in one round: a round of a second says little. */
const times = option('times', 3);

async function documentsPerSecond(rivals: boolean): Promise<void> {
  const readers = ['../readers/ours-file.ts'].map(ours);
  if (rivals) readers.push(rival('readers/officeparser.js'));
  const files = await documentsReadByAll(readers);
  const items = Array.from({ length: times }, () => files).flat();
  const modules = {
    ours: ours('documents/ours.ts'),
    ...(rivals ? { officeparser: rival('officeparser-documents.js') } : {}),
  };
  console.log(
    `\n${files.length} documents, ${megabytes(files).toFixed(1)} MB, ${times} times, ${rounds} rounds`,
  );
  report(await contest(modules, items, rounds), 'MB', megabytes(items));
}

const rivals = rivalsAreHere();
if (wanted('pages')) await pagesPerSecond('mixed', rivals);
if (wanted('plain-pages')) await pagesPerSecond('plain', rivals);
if (wanted('documents')) await documentsPerSecond(rivals);
