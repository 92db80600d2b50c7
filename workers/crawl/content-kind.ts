import { fileKinds, fileTypes } from '../../core/knowledge/sources/file-types.js';
import { beginsReadable, documentKindOf, isBinary, isMarkup, isPage } from '../../reader/sniff.js';

/** How a response is read: as a page (HTML, plain text, Markdown), or as a document file. */
export type ContentKind = { kind: 'page'; contentType: string | null } | { kind: 'file'; fileName: string };

const pageTypes = new Set([
  'text/html',
  'application/xhtml+xml',
  'text/plain',
  'text/markdown',
  'text/x-markdown',
]);

/** File types by media type. Text types are also among them, but page types are checked first. */
const kindOfType: ReadonlyMap<string, string> = new Map(
  Object.entries(fileTypes).flatMap(([kind, types]) => types.map((type) => [type, kind] as const)),
);

/** Generic media types, and types that do not exist but are in use, such as `text/htm`. */
const vagueType =
  /^(?:\*\/\*|(?:unknown|html|plain|content|binary)\/.*|text\/(?:x-)?(?:unknown|x?html?5?|text|utf-?8|web)|(?:application|binary)\/(?:x-)?(?:unknown|octet-?stream|download|force-download|save|html?|text|binary))$/;
/** Types whose bodies are read only if they begin as a page or a PDF does. Others are large. */
const mediaType = /^(?:audio|font|image|model|video)\//;
const readable: ReadonlySet<string> = new Set(fileKinds);
/** Files of these types have a signature. */
const signed: ReadonlySet<string> = new Set(['pdf', 'docx', 'xlsx', 'pptx']);
const htmlExtensions = new Set(['html', 'htm', 'xhtml']);

const MAX_FILE_NAME = 200;

/**
 * Returns the value of a `Content-Type` header that counts, with its media type in lower case. A header may have several
 * values if a server sends it twice: the last one counts if all state the same type. The type is '' if it is missing or invalid,
 * or if the values contradict each other.
 */
const declaredType = (header: string | null): { type: string; contentType: string | null } => {
  const values = (header ?? '').split(',').map((value) => value.trim());
  const valid = values.filter((value) => /^[\w!#$&^.*+-]+\/[\w!#$&^.*+-]+\s*(?:;|$)/.test(value));
  const types = new Set(valid.map((value) => value.replace(/\s*;.*$/s, '').toLowerCase()));
  const [type = ''] = types;
  if (types.size !== 1) return { type: '', contentType: null };
  const contentType = valid.findLast((value) => /charset/i.test(value)) ?? valid.at(-1) ?? null;
  return { type, contentType };
};

/** Returns the media type of a response in lower case; '' if it is not known. */
export const mediaTypeOf = (header: string | null): string => declaredType(header).type;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const lastSegment = (url: URL): string => decoded(url.pathname.split('/').at(-1) ?? '');

export const extensionOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

const fileNamed = (name: string, extension: string): ContentKind => {
  const stem = extensionOf(name) === extension ? name.slice(0, -extension.length - 1) : name;
  return { kind: 'file', fileName: `${stem.slice(0, MAX_FILE_NAME) || 'document'}.${extension}` };
};

/** Returns whether a response with these first bytes may have text, so that its body must be read. */
export const mayBeReadable = (header: string | null, start: Uint8Array): boolean =>
  !mediaType.test(mediaTypeOf(header)) || beginsReadable(start);

/** Returns the media type of a page with the charset of another type. */
const asPage = (header: string | null): string => {
  const charset = /;\s*charset\s*=[^;,]*/i.exec(header ?? '')?.[0] ?? '';
  return `text/html${charset}`;
};

/**
 * Returns how to read a response; null for unsupported content. A signature in the bytes takes precedence over the
 * declared type. The bytes also decide if the type is missing, contradictory or vague.
 */
export const contentKindOf = (header: string | null, url: URL, bytes: Uint8Array): ContentKind | null => {
  const { type, contentType } = declaredType(header);
  const name = lastSegment(url);
  const document = documentKindOf(bytes);
  if (document !== null) return fileNamed(name, document);
  const pageOf = (as: string | null): ContentKind | null =>
    isBinary(bytes, contentType) ? null : { kind: 'page', contentType: as };
  if (pageTypes.has(type)) return pageOf(contentType);
  const isVague = type === '' || vagueType.test(type);
  const extension = isVague ? extensionOf(name) : kindOfType.get(type);
  if (extension === undefined) return isPage(bytes) ? pageOf(asPage(header)) : null;
  if (htmlExtensions.has(extension)) return pageOf('text/html');
  if (readable.has(extension) && !(signed.has(extension) && isMarkup(bytes)))
    return fileNamed(name, extension);
  return pageOf(signed.has(extension) ? 'text/html' : null);
};
