import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sampleFiles } from '../../test/support/sample-files.js';
import { archives } from './archives.js';
import { documents } from './documents.js';
import type { HostileFile, HostilePage, HostileSiteFile } from './input.js';
import type { Order } from './orders.js';
import { pages } from './pages.js';
import { pdfs } from './pdfs.js';
import { siteFiles } from './site-files.js';
import { texts } from './texts.js';
import { startVictim } from './victim.js';

/*
 * `npm run bench:hostile -- [--only PATTERN] [--threads N] [--memory MIB] [--timeout MS]`: gives hostile files, pages, sitemaps and
 * robots.txt to the pools of a worker, one after the other. Prints how each ended, how long it took, for how long it blocked the main
 * thread at a time, and how much memory the process had beyond idle; after each a good file must still be read. Ends with 1 when the
 * process died or a good file failed. Linux only.
 */

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    threads: { type: 'string', default: '2' },
    memory: { type: 'string', default: '512' },
    timeout: { type: 'string', default: '120000' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'cadre-hostile-'));
const path = join(folder, 'input');
const goodPath = join(folder, 'good');
const [good] = sampleFiles((kind) => `A good ${kind} file.`).filter(({ fileName }) =>
  fileName.endsWith('.docx'),
);
if (!good) throw new Error('there is no sample document');
writeFileSync(goodPath, good.bytes);

const orderOf = (input: HostileFile | HostilePage | HostileSiteFile): Order => {
  if ('kind' in input) {
    writeFileSync(path, input.make());
    return { kind: input.kind, path };
  }
  if ('fileName' in input) {
    writeFileSync(path, input.make());
    return { kind: 'file', path, fileName: input.fileName };
  }
  const { bytes, contentType, url } = input.make();
  writeFileSync(path, bytes);
  return { kind: 'page', path, contentEncoding: input.contentEncoding, contentType, url };
};

const victim = await startVictim([values.threads, values.memory, values.timeout].map(Number));
let failures = 0;
try {
  const only = new RegExp(values.only, 'i');
  for (const input of [...archives, ...documents, ...pdfs, ...texts, ...pages, ...siteFiles]) {
    if (!only.test(input.name)) continue;
    const order = orderOf(input);
    const { code, ms, blockedMs, chars, peakMb } = await victim.read(order);
    const next = await victim.read({ kind: 'file', path: goodPath, fileName: good.fileName });
    const goesOn = code !== 'THE PROCESS DIED' && next.code === 'ok';
    if (!goesOn) failures += 1;
    console.log(
      [
        input.name.padEnd(56),
        code.padEnd(20),
        `${(ms / 1000).toFixed(1)} s`.padStart(8),
        `${Math.round(blockedMs)} ms blocked`.padStart(15),
        `${peakMb} MiB`.padStart(9),
        `${chars} chars`.padStart(15),
        goesOn ? '' : `the next file: ${next.code}`,
      ].join(' '),
    );
  }
} finally {
  victim.stop();
  rmSync(folder, { recursive: true });
}
process.exitCode = failures === 0 ? 0 : 1;
