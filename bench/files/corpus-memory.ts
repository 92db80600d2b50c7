import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../core/ports/log.port.js';
import { folders, readFolder } from '../../test/support/corpus/files.js';
import { corpusIsHere, readCorpus } from '../../test/support/corpus/pages.js';
import { someone } from '../../test/support/someone.js';
import { createPools } from '../../workers/threads/pools.js';

/** Most resident memory, MB, of a process that reads every file and page of the corpus with two threads for each kind. */
export async function peakMemoryMb(): Promise<number> {
  const child = fork(import.meta.filename, ['measure'], { execArgv: ['--import=tsx'] });
  const [peakMb] = await once(child, 'message');
  return peakMb;
}

const THREADS = 2;

async function readAll(): Promise<void> {
  const pools = createPools({ threads: THREADS, threadMemoryMb: 512, timeoutMs: 120_000 }, silentLog);
  const threads = pools.of(someone);
  const { signal } = new AbortController();
  const read = (file: string) => new Uint8Array(readFileSync(file));
  const files = folders.flatMap(readFolder).map(
    ({ path: file }) =>
      () =>
        threads.file({ bytes: read(file), fileName: path.basename(file) }, signal),
  );
  const pages = (corpusIsHere() ? readCorpus() : []).map(
    ({ path: file }) =>
      () =>
        threads.page(
          { bytes: read(file), contentType: 'text/html', url: 'https://site.example/page' },
          signal,
        ),
  );
  // Pages go in between the files, as on a busy day.
  const work = files.flatMap((file, at) => [file, pages[at % (pages.length || 1)] ?? file]);
  const next = work.values();
  await Promise.all(
    Array.from({ length: THREADS }, async () => {
      for (const job of next) await job();
    }),
  );
  await pools.close();
}

if (process.argv[1] === import.meta.filename && process.argv[2] === 'measure') {
  await readAll();
  process.send?.(Math.round(process.resourceUsage().maxRSS / 1024));
  process.disconnect();
}
