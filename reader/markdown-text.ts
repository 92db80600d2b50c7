import type { TitleSource } from './file/document.js';

export interface MarkdownText {
  text: string;
  title: string | null;
  titleSource: TitleSource;
}

const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\n([\s\S]*?)\n\1[ \t]*(?:\n|$)/;
/** Maximum length of front matter, which is small. Longer text between rules is content. */
const FRONT_MATTER_CHARS = 20_000;

/** Returns Markdown without its front matter. The title in the front matter takes precedence over the first heading. */
export function readMarkdown(source: string): MarkdownText {
  const match = FRONT_MATTER.exec(source.slice(0, FRONT_MATTER_CHARS));
  const isFrontMatter = match !== null && /^[\w-]+\s*[:=]/m.test(match[2] ?? '');
  const text = isFrontMatter ? source.slice(match[0].length) : source;
  const declared = isFrontMatter ? titleOf(match[2] ?? '') : '';
  const heading = declared === '' ? firstHeading(text) : '';
  return {
    text,
    title: declared || heading || null,
    titleSource: declared ? 'front-matter' : heading ? 'heading' : null,
  };
}

function titleOf(frontMatter: string): string {
  const value = /^title\s*[:=]\s*(.+)$/im.exec(frontMatter)?.[1]?.trim() ?? '';
  return value.replace(/^(["'])(.*)\1$/, '$2');
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
