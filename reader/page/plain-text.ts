import { readMarkdown } from '../markdown-text.js';
import { normaliseText } from './normalise-text.js';

const MAX_TITLE_CHARS = 300;

export type ContentKind = 'html' | 'text' | 'markdown';

/** Determines the type of a body by its media type, its name or its first bytes. */
export function contentKind(contentType: string | null, url: string, head: string): ContentKind {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  const looksLikeMarkup =
    /<(?:!doctype|html|head|body|title|meta|div|p|h[1-6]|article|main|section|table|ul|ol|span|a|br|script|img|\?xml)[\s>/]/i.test(
      head,
    );
  if (type === 'text/plain') return /\.(?:md|markdown)$/i.test(pathOf(url)) ? 'markdown' : 'text';
  if (looksLikeMarkup || /<\/?[a-z][^<>]{0,200}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/i.test(head))
    return 'html';
  return type === '' && /\.(?:md|markdown)$/i.test(pathOf(url)) ? 'markdown' : 'text';
}

/** Returns plain text and Markdown without front matter, with normalised newlines and without invisible characters. */
export function readPlainText(
  text: string,
  kind: ContentKind,
  url: string,
): { title: string | null; text: string } {
  const normalised = normaliseText(text);
  if (kind !== 'markdown') return { title: lastSegment(url), text: normalised };
  const { title, text: body } = readMarkdown(normalised);
  return { title: title?.slice(0, MAX_TITLE_CHARS) ?? lastSegment(url), text: body.replace(/^\n+/, '') };
}

function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return '';
  }
}

function lastSegment(url: string): string | null {
  const segment = pathOf(url).split('/').filter(Boolean).at(-1);
  if (segment === undefined) return null;
  try {
    return decodeURIComponent(segment).slice(0, 200);
  } catch {
    return segment.slice(0, 200);
  }
}
