import { statSync } from 'node:fs';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { CliError } from '../cli-error.js';
import {
  type ArchivedPicture,
  type ArchivedSource,
  MANIFEST,
  type Manifest,
  parseManifest,
  sha256Of,
} from './manifest.js';

/** Maximum inflated bytes of one entry, and of all entries. A source has at most 8 MiB. */
const ENTRY_BYTES = 64 * 1024 * 1024;
const ALL_BYTES = 2 * 1024 * 1024 * 1024;
const ENTRIES = 50_003;

/** An archive whose entries have all been verified. It is not unpacked to disk. */
export interface ReadArchive {
  manifest: Manifest;
  /** Reads the text of a source, and verifies it again. */
  text(source: ArchivedSource): Promise<string>;
  /** Reads a picture, and verifies it again. */
  bytes(picture: ArchivedPicture): Promise<Buffer>;
  close(): void;
}

const invalid = (problem: string): CliError => new CliError('ARCHIVE_INVALID', `The archive ${problem}.`);

/** Counts the bytes that are actually inflated, regardless of the declared size. */
async function inflated(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += (part as Buffer).length;
    if (bytes > ENTRY_BYTES) {
      stream.destroy();
      throw invalid(`has an entry of more than ${ENTRY_BYTES} bytes`);
    }
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/**
 * Opens an archive and verifies the hash of every entry. Rejects entries that the manifest does not list. Throws
 * ARCHIVE_INVALID.
 */
export async function readArchive(file: string): Promise<ReadArchive> {
  let zip: ZipFile | undefined;
  try {
    // Opening a pipe would wait for its writer.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    zip = await openPromise(file, { autoClose: false, lazyEntries: true });
    return await verified(zip);
  } catch (error) {
    zip?.close();
    throw error instanceof CliError ? error : invalid(`cannot be read: ${(error as Error).message}`);
  }
}

async function verified(zip: ZipFile): Promise<ReadArchive> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size === ENTRIES) throw invalid(`has more than ${ENTRIES} entries`);
    if (entries.has(entry.fileName)) throw invalid('has an entry twice');
    entries.set(entry.fileName, entry);
  }
  const listed = entries.get(MANIFEST);
  if (!listed) throw invalid(`has no ${MANIFEST}`);
  const manifest = parseManifest(await inflated(zip, listed));
  const listedEntries = [...manifest.sources, ...(manifest.pictures ?? [])];
  const names = new Set([MANIFEST, ...listedEntries.map(({ entry }) => entry)]);
  if (names.size !== listedEntries.length + 1) throw invalid('lists an entry twice');
  for (const name of entries.keys())
    if (!names.has(name)) throw invalid('has an entry that it does not list');
  const read = async (item: { entry: string; sha256: string }): Promise<Buffer> => {
    const entry = entries.get(item.entry);
    if (!entry) throw invalid(`lacks ${item.entry}`);
    const bytes = await inflated(zip, entry);
    if (sha256Of(bytes) !== item.sha256) throw invalid(`is damaged: ${item.entry} has another hash`);
    return bytes;
  };
  let all = 0;
  for (const item of listedEntries) {
    all += (await read(item)).length;
    if (all > ALL_BYTES) throw invalid(`has more than ${ALL_BYTES} bytes`);
  }
  return {
    manifest,
    text: async (source) => (await read(source)).toString('utf8'),
    bytes: read,
    close: () => zip.close(),
  };
}
