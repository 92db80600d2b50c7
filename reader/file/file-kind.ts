import { ExtractError } from '../extract-error.js';
import type { FileKind } from '../reading.js';

const kinds: readonly FileKind[] = ['pdf', 'docx', 'xlsx', 'pptx', 'md', 'txt'];

/** Returns the file type for the extension. Throws FILE_TYPE_MISMATCH if it is not supported. */
export function kindOfName(fileName: string): FileKind {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  const kind = kinds.find((name) => name === extension);
  if (!kind) throw new ExtractError('FILE_TYPE_MISMATCH', 'Files of this type are not supported.');
  return kind;
}

/** Container types recognisable by their first bytes. */
export type Container = 'pdf' | 'zip' | 'cfb' | 'rtf' | 'binary' | 'markup' | 'unknown';

const signatures: readonly (readonly [string, Container])[] = [
  ['%PDF-', 'pdf'],
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'cfb'],
  ['\x89PNG\r\n\x1a\n', 'binary'],
  ['\xff\xd8\xff', 'binary'],
  ['GIF87a', 'binary'],
  ['GIF89a', 'binary'],
  ['\x1f\x8b\x08', 'binary'],
  ['BZh', 'binary'],
  ["7z\xbc\xaf'\x1c", 'binary'],
  ['Rar!\x1a\x07', 'binary'],
  ['\xfd7zXZ\0', 'binary'],
  ['\x7fELF', 'binary'],
  ['II*\0', 'binary'],
  ['MM\0*', 'binary'],
  ['OggS', 'binary'],
  ['ID3', 'binary'],
  ['SQLite format 3\0', 'binary'],
  ['{\\rtf', 'rtf'],
  ['<!doctype html', 'markup'],
  ['<html', 'markup'],
  ['<?xml', 'markup'],
];

const HEAD_BYTES = 1024;
/** Maximum bytes before the PDF header. Saved mails and HTTP responses put their headers there. */
const PDF_HEADER_WITHIN = 64 * 1024;

export function sniffContainer(bytes: Uint8Array): Container {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const lower = head.trimStart().slice(0, 32).toLowerCase();
  for (const [signature, container] of signatures) {
    if (container === 'markup' ? lower.startsWith(signature) : head.startsWith(signature)) return container;
  }
  return 'unknown';
}

/** Returns whether the bytes contain a PDF header. Other data may precede it. */
export const hasPdfHeader = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-');

/**
 * Returns whether this is an encrypted Office file: an OLE2 container with a stream of this name, in UTF-16
 * ([MS-OFFCRYPTO] 2.3.4).
 */
export const isEncryptedOffice = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  );
