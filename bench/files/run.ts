import path from 'node:path';
import { type Folder, filesAreHere, folders, readFolder } from '../../test/support/corpus/files.js';
import { corpusSamples, unlikeReadings } from '../../test/support/corpus/repeated-readings.js';
import { startReader } from '../readers/reader-process.js';
import { rival, rivalsAreHere } from '../readers/rivals.js';
import { peakMemoryMb } from './corpus-memory.js';
import { extras, problemOf } from './judge.js';

/*
 * `npm run bench:files [-- --failures]`: every file of the development corpus against what is expected of it, each tool in a process of its
 * own with a time limit for each file; then the memory that a worker with two threads needs for all of it.
 */

const LIMIT_MS = 30_000;
const ours = (name: string): string => path.resolve(import.meta.dirname, '../readers', name);

interface Tool {
  name: string;
  module: string;
  folders: readonly Folder[];
}

function tools(): Tool[] {
  const own = [
    { name: 'ours', module: ours('ours-file.ts'), folders },
    { name: 'unpdf', module: ours('unpdf.ts'), folders: ['pdf'] as const },
  ];
  if (!rivalsAreHere()) return own;
  const office = ['pdf', 'docx', 'xlsx', 'pptx'] as const;
  return [
    ...own,
    { name: 'officeparser', module: rival('readers/officeparser.js'), folders: office },
    { name: 'mammoth', module: rival('readers/mammoth.js'), folders: ['docx'] },
    { name: 'pdf-parse', module: rival('readers/pdf-parse.js'), folders: ['pdf'] },
  ];
}

interface Tally {
  files: number;
  met: number;
  failed: number;
  crashed: number;
  hung: number;
  extrasFound: number;
  extras: number;
}

const nothing: Tally = { files: 0, met: 0, failed: 0, crashed: 0, hung: 0, extrasFound: 0, extras: 0 };

async function measure({ name, module, folders }: Tool, print: (line: string) => void): Promise<number> {
  const reader = startReader(module, LIMIT_MS);
  const whole = { ...nothing };
  for (const folder of folders) {
    const tally = { ...nothing };
    for (const file of readFolder(folder)) {
      const reading = await reader.read(file.path);
      const problem = problemOf(reading, file);
      const [found, of] = extras(reading, file);
      tally.files += 1;
      tally.extrasFound += found;
      tally.extras += of;
      if (problem === null) tally.met += 1;
      else if (reading.end === 'crashed' || reading.end === 'hung') tally[reading.end] += 1;
      else tally.failed += 1;
      if (problem !== null && process.argv.includes('--failures')) print(`  ${file.file}: ${problem}`);
    }
    print(row(name, folder, tally));
    for (const key of Object.keys(whole) as (keyof Tally)[]) whole[key] += tally[key];
  }
  if (folders.length > 1) print(row(name, 'all', whole));
  reader.close();
  return reader.peakMb();
}

const columns = ['files', 'met', 'failed', 'crashed', 'hung'] as const;
const cell = (value: string | number): string => String(value).padStart(8);

const row = (name: string, folder: string, tally: Tally): string =>
  `${name.padEnd(14)}${folder.padEnd(6)}${columns.map((column) => cell(tally[column])).join('')}` +
  `${cell(tally.extras === 0 ? '' : `${tally.extrasFound}/${tally.extras}`)}`;

async function main(): Promise<void> {
  if (!filesAreHere()) {
    console.log('The development corpus is not here: nothing to measure.');
    return;
  }
  const print = (line: string): void => console.log(line);
  const peaks: string[] = [];
  const chosen = tools();
  print(`${''.padEnd(20)}${columns.map(cell).join('')}${cell('extras')}`);
  for (const tool of chosen) peaks.push(`${tool.name} ${await measure(tool, print)} MB`);
  print(`\nmost resident memory, one file after the other: ${peaks.join(', ')}`);
  print(`most resident memory of a worker, whole corpus, pages too, two threads: ${await peakMemoryMb()} MB`);
  const samples = corpusSamples();
  const unlike = await unlikeReadings(samples);
  print(
    `${samples.length} files and pages, twice by one thread and once by another: ` +
      (unlike.length === 0 ? 'all alike to the byte' : `not alike: ${unlike.join(', ')}`),
  );
}

await main();
