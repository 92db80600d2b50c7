import { readFileSync } from 'node:fs';
import path from 'node:path';
import { silentLog } from '../../../core/ports/log.port.js';
import { createPools, type Pools } from '../../../workers/threads/pools.js';
import { someone } from '../someone.js';
import { filesAreHere, folders, readFolder } from './files.js';
import { corpusIsHere, readCorpus, readLegacyEncodings } from './pages.js';

/** A page, or a file whose name states its type. */
export interface Sample {
  name: string;
  kind: 'page' | 'file';
  bytes: Uint8Array;
}

/** Every file and page of the development corpus; none without a corpus. */
export function corpusSamples(): Sample[] {
  const files = filesAreHere() ? folders.flatMap(readFolder) : [];
  const pages = corpusIsHere() ? [...readCorpus(), ...readLegacyEncodings()] : [];
  return [
    ...files.map(
      ({ path: file }): Sample => ({
        name: path.basename(file),
        kind: 'file',
        bytes: new Uint8Array(readFileSync(file)),
      }),
    ),
    ...pages.map(
      (page): Sample => ({ name: 'name' in page ? page.name : page.file, kind: 'page', bytes: page.bytes }),
    ),
  ];
}

/** Serialises text, title, chunks, metadata and hash, or the failure. */
async function readingOf(threads: Pools, { name, kind, bytes }: Sample): Promise<string> {
  const { signal } = new AbortController();
  const own = Uint8Array.from(bytes);
  const result =
    kind === 'file'
      ? await threads.of(someone).file({ bytes: own, fileName: name }, signal)
      : await threads
          .of(someone)
          .page({ bytes: own, contentType: 'text/html', url: 'https://site.example/page' }, signal);
  return JSON.stringify(result);
}

/**
 * Reads every sample three times: twice in one thread, and once in another thread in reverse order. Returns the
 * names of samples with different results.
 */
export async function unlikeReadings(samples: Sample[]): Promise<string[]> {
  const fresh = () => createPools({ threads: 1, threadMemoryMb: 512, timeoutMs: 120_000 }, silentLog);
  const [one, other] = [fresh(), fresh()];
  const readings = new Map<Sample, Set<string>>(samples.map((sample) => [sample, new Set()]));
  const readAll = async (threads: Pools, inOrder: Sample[]) => {
    for (const sample of inOrder) readings.get(sample)?.add(await readingOf(threads, sample));
  };
  try {
    await Promise.all([readAll(one, [...samples, ...samples]), readAll(other, samples.toReversed())]);
  } finally {
    await Promise.all([one.close(), other.close()]);
  }
  return samples.filter((sample) => readings.get(sample)?.size !== 1).map(({ name }) => name);
}
