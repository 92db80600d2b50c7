import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { ExtractError } from '../../extract-error.js';
import type { ExtractLimits } from '../limits.js';
import { createByteMeter, damaged, inflatePieces, tooComplex } from './inflate.js';

const STORED = 0;
const DEFLATED = 8;

/** A zip archive that counts every inflated byte. Names are compared case-insensitively, as in OPC. */
export interface Archive {
  names: readonly string[];
  has(name: string): boolean;
  /**
   * Yields the inflated entry in pieces, or nothing if the entry does not exist. Rejects with FILE_TOO_COMPLEX or
   * FILE_UNPARSABLE.
   */
  pieces(name: string): AsyncGenerator<Uint8Array>;
  /** Reads a whole entry; null if it does not exist. Rejects if it exceeds `maxBytes`. */
  read(name: string, maxBytes?: number): Promise<Uint8Array | null>;
}

interface PackedEntry {
  name: string;
  packed: Uint8Array;
  method: number;
  crc32: number;
}

/** Opens the archive and checks all entries against the limits before any part is parsed. */
export async function openArchive(bytes: Uint8Array, limits: ExtractLimits): Promise<Archive> {
  const entries = await readDirectory(bytes, limits);
  await walk(entries.values(), limits);
  const spend = createByteMeter(2 * limits.archiveBytes);
  const find = (name: string) => entries.get(name.toLowerCase());

  async function* pieces(name: string): AsyncGenerator<Uint8Array> {
    const entry = find(name);
    if (!entry) return;
    let sum = 0;
    for await (const piece of unpack(entry, limits)) {
      spend(piece.length);
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== entry.crc32) throw damaged();
  }

  async function read(name: string, maxBytes = limits.entryBytes): Promise<Uint8Array | null> {
    if (!find(name)) return null;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const piece of pieces(name)) {
      size += piece.length;
      if (size > maxBytes) throw tooComplex();
      parts.push(piece);
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  }

  return {
    names: [...entries.values()].map((entry) => entry.name),
    has: (name) => find(name) !== undefined,
    pieces,
    read,
  };
}

async function readDirectory(bytes: Uint8Array, limits: ExtractLimits): Promise<Map<string, PackedEntry>> {
  const entries = new Map<string, PackedEntry>();
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const zip = await fromBufferPromise(file, { decodeStrings: false, validateEntrySizes: false });
    if (zip.entryCount > limits.archiveEntries) throw tooComplex();
    let count = 0;
    for await (const entry of zip.eachEntry()) {
      if (++count > limits.archiveEntries) throw tooComplex();
      if (entry.isEncrypted()) throw new ExtractError('FILE_ENCRYPTED');
      const packed = await locate(zip, entry, file);
      entries.set(packed.name.toLowerCase(), packed);
    }
  } catch (error) {
    throw error instanceof ExtractError ? error : damaged();
  }
  return entries;
}

async function locate(zip: ZipFile, entry: Entry, file: Buffer): Promise<PackedEntry> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  const end = fileDataStart + entry.compressedSize;
  if (end > file.length) throw damaged();
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  return {
    name: name.replaceAll('\\', '/').replace(/^\/+/, ''),
    packed: file.subarray(fileDataStart, end),
    method: entry.compressionMethod,
    crc32: entry.crc32,
  };
}

/** Measures the inflated size of the whole archive, including parts that are not read. */
async function walk(entries: Iterable<PackedEntry>, limits: ExtractLimits): Promise<void> {
  const spend = createByteMeter(limits.archiveBytes);
  for (const entry of entries) {
    if (entry.method !== DEFLATED) continue;
    for await (const piece of unpack(entry, limits)) spend(piece.length);
  }
}

function unpack(entry: PackedEntry, limits: ExtractLimits): AsyncIterable<Uint8Array> {
  if (entry.method === DEFLATED) return inflatePieces(entry.packed, limits);
  if (entry.method !== STORED) throw damaged('The file uses a compression that Office does not use.');
  return storedPieces(entry.packed);
}

async function* storedPieces(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  yield packed;
}
