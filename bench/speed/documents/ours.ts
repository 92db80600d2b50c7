import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { silentLog } from '../../../core/ports/log.port.js';
import { someone } from '../../../test/support/someone.js';
import { createPools } from '../../../workers/threads/pools.js';
import { atOnce } from '../at-once.js';

/** The threads of a worker, one for each core. */
const count = availableParallelism();
const threads = createPools({ threads: count, threadMemoryMb: 512, timeoutMs: 120_000 }, silentLog).of(
  someone,
);

export const round = (items: string[]): Promise<number> =>
  atOnce(count, items, async (file) => {
    const bytes = new Uint8Array(readFileSync(file));
    const { ok } = await threads.file({ bytes, fileName: path.basename(file) }, new AbortController().signal);
    return ok;
  });
