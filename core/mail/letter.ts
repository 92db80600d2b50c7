/** A part of an e-mail. Text and HTML are written from the same parts. */
export type Part =
  | { text: string }
  | { heading: string }
  | { link: string; url: string }
  | { list: readonly Item[] };

export interface Item {
  text: string;
  url?: string;
}

interface Content {
  subject: string;
  parts: readonly Part[];
  /** BCP 47 tag; English by default. */
  language?: string | undefined;
}

/** Maximum length of a quoted text, in characters. */
const LONGEST = 300;

/** Cuts a text of a user, and puts it on one line. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/** Writes the plain text and the HTML of an e-mail. Everything is escaped; nothing is loaded from elsewhere. */
export function letterOf({ subject, parts, language = 'en' }: Content): {
  subject: string;
  text: string;
  html: string;
} {
  const body = parts.map(htmlOf).join('\n');
  return {
    subject: quoted(subject),
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${escaped(quoted(subject))}</title></head>\n<body dir="auto" style="font-family: sans-serif; line-height: 1.5; max-width: 40em">\n${body}\n</body></html>\n`,
  };
}

function textOf(part: Part): string {
  if ('heading' in part) return `${part.heading}\n${'-'.repeat(Math.min(part.heading.length, 60))}`;
  if ('link' in part) return `${part.link}: ${part.url}`;
  if ('list' in part) return part.list.map(textOfItem).join('\n');
  return part.text;
}

function htmlOf(part: Part): string {
  if ('heading' in part) return `<h2 style="font-size: 1.1em">${escaped(part.heading)}</h2>`;
  if ('link' in part) return `<p><a href="${escaped(part.url)}">${escaped(part.link)}</a></p>`;
  if ('list' in part) return `<ul>${part.list.map((item) => `<li>${htmlOfItem(item)}</li>`).join('')}</ul>`;
  return `<p>${escaped(part.text)}</p>`;
}

const textOfItem = ({ text, url }: Item): string => (url === undefined ? `- ${text}` : `- ${text}\n  ${url}`);

const htmlOfItem = ({ text, url }: Item): string =>
  url === undefined ? escaped(text) : `<a href="${escaped(url)}">${escaped(text)}</a>`;

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Escapes a text for HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign);
