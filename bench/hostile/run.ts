import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleFiles } from '../../test/support/sample-files.js';
import { office } from './office.js';
import { pdfs } from './pdfs.js';
import { web } from './web.js';
import type { Answer } from './worker.js';

/*
 * `npm run bench:hostile [-- PATTERN]`: reads hostile files, pages, sitemaps and robots.txt files in the threads of a
 * worker, each in a process of its own. Prints the outcome, the time, the longest block of the main thread and the peak
 * memory. Ends with 1 if a process died or could not read a good file afterwards.
 */

const folder = mkdtempSync(join(tmpdir(), 'cadre-hostile-'));
const path = join(folder, 'input');
const goodPath = join(folder, 'good.docx');
const good = sampleFiles((kind) => `A good ${kind} file.`).find(({ fileName }) => fileName.endsWith('.docx'));
if (!good) throw new Error('there is no sample document');
writeFileSync(goodPath, good.bytes);

/** Null if the process died. */
const read = (order: object): Promise<Answer | null> =>
  new Promise((resolve) => {
    const child = fork(new URL('./worker.ts', import.meta.url), [JSON.stringify(order)], {
      execArgv: ['--import=tsx'],
    });
    child.once('message', (answer) => resolve(answer as Answer));
    child.once('exit', () => resolve(null));
  });

const pattern = new RegExp(process.argv[2] ?? '', 'i');
for (const { make, ...input } of [...office, ...pdfs, ...web]) {
  if (!pattern.test(input.name)) continue;
  writeFileSync(path, make());
  const answer = await read({ ...input, path, goodPath });
  if (answer?.next !== 'ok') process.exitCode = 1;
  const { code = 'THE PROCESS DIED', ms = 0, blockedMs = 0, peakMb = 0, chars = 0, next = '' } = answer ?? {};
  console.log(
    [
      input.name.padEnd(56),
      code.padEnd(20),
      `${(ms / 1000).toFixed(1)} s`.padStart(8),
      `${Math.round(blockedMs)} ms blocked`.padStart(15),
      `${peakMb} MB`.padStart(9),
      `${chars} chars`.padStart(15),
      next === 'ok' ? '' : `next file: ${next}`,
    ].join(' '),
  );
}
rmSync(folder, { recursive: true });
