import type { Archive } from '../archive/archive.js';
import type { ExtractLimits } from '../limits.js';
import { createXmlDecoder } from './xml-decoder.js';
import { createXmlReader, type XmlHandler } from './xml-reader.js';

/** A handler that can stop reading its part early. */
export interface PartHandler extends XmlHandler {
  done?(): boolean;
}

/** Characters per write. Small enough that `done` takes effect soon. */
const SLICE = 64 * 1024;

/**
 * Reads an XML part of an archive. Returns false if the part does not exist. Rejects as the archive and the XML reader
 * do.
 */
export async function readPart(
  archive: Archive,
  name: string,
  handler: PartHandler,
  limits: ExtractLimits,
): Promise<boolean> {
  if (!archive.has(name)) return false;
  const decoder = createXmlDecoder();
  const reader = createXmlReader(handler, limits);
  for await (const piece of archive.pieces(name)) {
    for (let at = 0; at < piece.length; at += SLICE) {
      reader.write(decoder.write(piece.subarray(at, at + SLICE)));
      if (handler.done?.()) return true;
    }
  }
  reader.write(decoder.end());
  if (!handler.done?.()) reader.end();
  return true;
}
