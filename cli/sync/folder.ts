import { createHash } from 'node:crypto';
import { type Dirent, readdirSync } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readRegularFile } from '../../config/read-regular-file.js';
import { fileExtensions } from '../../core/knowledge/sources/file-types.js';
import { limits } from '../../core/schemas/limits.js';
import { readMarkdown } from '../../reader/markdown-text.js';
import { normalForm } from '../../reader/normal-form.js';
import { CliError } from '../cli-error.js';

export interface LocalFile {
  /**
   * Relative to the folder, with slashes, in Unicode normal form C, because file systems normalise names differently.
   */
  path: string;
  /** The path as the file system spells it. */
  spelt: string;
  /** Hash of the file's bytes. */
  hash: string;
}

/** A file or folder that could not be read. */
export interface Unreadable {
  /** Relative to the folder. The path of a subfolder ends with a slash. */
  path: string;
  error: string;
}

export interface Listing {
  files: LocalFile[];
  /** Paths of empty files, which another program may be about to write. */
  empty: string[];
  unreadable: Unreadable[];
}

/** A file as a source: a text, or bytes to upload. */
export type LocalDocument = { title: string } & (
  | { kind: 'text'; content: string }
  | { kind: 'file'; bytes: Buffer }
);

const IGNORE_FILE = '.cadreignore';
const IGNORE_BYTES = 1_048_576;
const HASH_CHARACTERS = 32;

const isSupported = (path: string): boolean =>
  (fileExtensions as readonly string[]).includes(extname(path).toLowerCase());

const normal = (path: string): string => normalForm(path, 'NFC');

/**
 * Reads the folder's ignore file, which has the format of .gitignore. Throws if the file cannot be read, because
 * without its rules too much would be uploaded.
 */
function readIgnored(folder: string): Ignore {
  const rules = ignore();
  try {
    const bytes = readRegularFile(join(folder, IGNORE_FILE), { maxBytes: IGNORE_BYTES, allowsLinks: false });
    rules.add(normal(bytes.toString('utf8')));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      throw new Error(`${IGNORE_FILE}: ${code === 'ELOOP' ? 'it is a symbolic link' : message}`);
  }
  return rules;
}

interface Walked {
  /** Paths as the file system spells them, as in `folders`. */
  files: string[];
  /** Includes the folder itself as ''. */
  folders: string[];
  unreadable: Unreadable[];
}

/**
 * Finds the supported files of a folder. Skips hidden and ignored ones, and symbolic links, which may lead out of the
 * folder. Throws FILE_INVALID if the folder itself cannot be read.
 */
export function walk(folder: string): Walked {
  const walked: Walked = { files: [], folders: [], unreadable: [] };
  const open = [''];
  try {
    const ignored = readIgnored(folder);
    for (let below = open.pop(); below !== undefined; below = open.pop()) {
      const entries = entriesOf(folder, below, walked.unreadable);
      if (entries !== null) walked.folders.push(below);
      for (const entry of entries ?? []) {
        const spelt = posix.join(below, entry.name);
        if (entry.name.startsWith('.')) continue;
        if (entry.isDirectory() && !ignored.ignores(normal(`${spelt}/`))) open.push(spelt);
        if (entry.isFile() && isSupported(spelt) && !ignored.ignores(normal(spelt))) walked.files.push(spelt);
      }
    }
  } catch (error) {
    throw new CliError('FILE_INVALID', `The folder ${folder} cannot be read: ${(error as Error).message}.`);
  }
  return walked;
}

/** Returns null for a subfolder that cannot be read. Throws if the folder itself cannot. */
function entriesOf(folder: string, below: string, unreadable: Unreadable[]): Dirent[] | null {
  try {
    return readdirSync(join(folder, below), { withFileTypes: true });
  } catch (error) {
    if (below === '') throw error;
    unreadable.push({ path: normal(`${below}/`), error: (error as Error).message });
    return null;
  }
}

/** Reads the files that `walk` finds. Throws as `walk` does. */
export function listFiles(folder: string): Listing {
  const { files: found, unreadable } = walk(folder);
  const files = new Map<string, LocalFile>();
  const empty: string[] = [];
  for (const spelt of found) {
    const path = normal(spelt);
    try {
      const bytes = readOne(folder, spelt);
      if (files.has(path)) unreadable.push({ path, error: 'Another file has the same name.' });
      else if (bytes.length === 0) empty.push(path);
      else files.set(path, { path, spelt, hash: hashOf(bytes) });
    } catch (error) {
      unreadable.push({ path, error: (error as Error).message });
    }
  }
  return { files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), empty, unreadable };
}

/** Reads at most the upload limit, because the file may have been replaced since it was found. */
const readOne = (folder: string, spelt: string): Buffer =>
  readRegularFile(join(folder, spelt), { maxBytes: limits.files.bytes, allowsLinks: false });

const hashOf = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARACTERS);

const shortened = (title: string): string => [...title.trim()].slice(0, limits.sourceTitle.max).join('');

/** Decodes UTF-8; null for other encodings. */
function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    return null;
  }
}

function readBytes(folder: string, { path, spelt }: LocalFile): Buffer {
  try {
    return readOne(folder, spelt);
  } catch (error) {
    throw new CliError('FILE_INVALID', `${path} cannot be read: ${(error as Error).message}.`);
  }
}

/**
 * Reads a file. Texts that are too long for a text source, or not in UTF-8, are uploaded as files. Throws FILE_INVALID.
 */
export function readDocument(folder: string, file: LocalFile): LocalDocument {
  const { path } = file;
  const bytes = readBytes(folder, file);
  const extension = extname(path).toLowerCase();
  const name = basename(path);
  const text = extension === '.md' || extension === '.txt' ? decoded(bytes) : null;
  if (text === null) return { kind: 'file', title: name, bytes };
  const { text: content, title } = extension === '.md' ? readMarkdown(text) : { text, title: null };
  const isTooLong = Buffer.byteLength(content) > limits.contentBytes;
  if (isTooLong || content.trim() === '') return { kind: 'file', title: name, bytes };
  return { kind: 'text', title: shortened(title ?? '') || shortened(basename(path, extname(path))), content };
}
