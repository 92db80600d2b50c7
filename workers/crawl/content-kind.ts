import { fileKinds, fileTypes } from '../../core/knowledge/sources/file-types.js';

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

/** Generic media types, for which the extension in the path decides. */
const vagueTypes = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/x-download']);
const readable: ReadonlySet<string> = new Set(fileKinds);
const htmlExtensions = new Set(['html', 'htm', 'xhtml']);

const MAX_FILE_NAME = 200;

/** Returns `type/subtype` of a `Content-Type` in lower case; '' if it is missing. */
export const mediaTypeOf = (contentType: string | null): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const lastSegment = (url: URL): string => {
  const segment = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const extensionOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

const fileNamed = (name: string, extension: string): ContentKind => {
  const stem = extensionOf(name) === extension ? name.slice(0, -extension.length - 1) : name;
  return { kind: 'file', fileName: `${stem.slice(0, MAX_FILE_NAME) || 'document'}.${extension}` };
};

/** Returns how to read a response; null for an unsupported type. */
export const contentKindOf = (contentType: string | null, url: URL): ContentKind | null => {
  const type = mediaTypeOf(contentType);
  if (pageTypes.has(type)) return { kind: 'page', contentType };
  const name = lastSegment(url);
  const extension = vagueTypes.has(type) ? extensionOf(name) : kindOfType.get(type);
  if (extension === undefined) return null;
  if (htmlExtensions.has(extension)) return { kind: 'page', contentType: 'text/html' };
  return readable.has(extension) ? fileNamed(name, extension) : null;
};
