import type { TitleSource } from './file/document.js';
import { readFrontMatter } from './front-matter.js';

export interface MarkdownText {
  text: string;
  title: string | null;
  titleSource: TitleSource;
}

/**
 * Returns Markdown without its front matter. The title in the front matter takes precedence over the first heading, and
 * its description precedes the text, unless the text contains it.
 */
export function readMarkdown(source: string): MarkdownText {
  const { title = '', description = '', end = 0 } = readFrontMatter(source) ?? {};
  const body = source.slice(end);
  const heading = title === '' ? firstHeading(body) : '';
  return {
    text:
      description === '' || body.includes(description)
        ? body
        : `${description}\n\n${body.replace(/^\n+/, '')}`,
    title: title || heading || null,
    titleSource: title ? 'front-matter' : heading ? 'heading' : null,
  };
}

function firstHeading(text: string): string {
  let fence = '';
  let previous = '';
  for (const line of text.slice(0, 100_000).split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : '';
    if (fence !== '') continue;
    const heading = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/.exec(line)?.[1];
    if (heading !== undefined) return bareHeading(heading);
    if (/^ {0,3}=+[ \t]*$/.test(line) && previous.trim() !== '') return bareHeading(previous);
    previous = line;
  }
  return '';
}

/** Removes bold marks, and the id that some dialects append to a heading. */
const bareHeading = (heading: string): string =>
  heading
    .replace(/\s*\{[#.:][^{}]*\}\s*$/, '')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .trim();
