import { silentLog } from '../../core/ports/log.port.js';
import { someone } from '../../test/support/someone.js';
import { createPools } from '../../workers/threads/pools.js';
import type { Content } from './reader.js';

/** As a worker does it: in a thread with a limit on its memory and its time. */
const threads = createPools({ threads: 1, threadMemoryMb: 512, timeoutMs: 120_000 }, silentLog).of(someone);

export async function read(bytes: Uint8Array, fileName: string): Promise<Content> {
  const result = await threads.file({ bytes, fileName }, new AbortController().signal);
  if (!result.ok) throw result.failure;
  return { text: result.extraction.text };
}
