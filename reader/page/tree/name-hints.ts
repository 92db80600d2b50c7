import { type NameWords, patternOf } from '../words/name-words.js';
import { namesAround } from '../words/names-around.js';
import { namesBeside } from '../words/names-beside.js';
import { namesOfContent } from '../words/names-of-content.js';
import { namesOfService } from '../words/names-of-service.js';
import type { Attributes } from './attributes.js';

/**
 * Meanings of class names, ids and roles, derived from words that many page authors and content management systems use
 * (./words), not from names of single sites. Names are split at hyphens, underscores and capital letters, and whole
 * words are matched.
 */
export const Hint = {
  navigation: 1,
  footer: 2,
  sidebar: 4,
  cookie: 8,
  share: 16,
  related: 32,
  newsletter: 64,
  comments: 128,
  advert: 256,
  popup: 512,
  form: 1024,
  meta: 2048,
  author: 4096,
  contents: 8192,
  unseen: 16384,
  articleBody: 32768,
  lead: 65536,
  verse: 1048576,
  note: 131072,
  gutter: 262144,
  editLink: 524288,
  header: 2097152,
  column: 4194304,
  disclosure: 8388608,
  teasers: 16777216,
  service: 33554432,
  facets: 67108864,
} as const;

const words: Readonly<Record<keyof typeof Hint, NameWords>> = {
  ...namesAround,
  ...namesBeside,
  ...namesOfContent,
  ...namesOfService,
};
const vocabulary = Object.entries(words).map(
  ([name, own]) => [Hint[name as keyof typeof Hint], patternOf(own)] as const,
);

const MAX_NAME_CHARS = 300;
/** Parts of names that describe a state or the page's taxonomy, not the element's role. */
const noise =
  /^(?:has|no|with|without|is|not|js|tag|category|cat|format|theme|skin|template|term|taxonomy|author|status|type|postid|parent|page|u|w|t|wf|m|p|fa|icon|col)-./i;
/** "content-with-sidebar" is a name for the content, not for the sidebar. */
const layoutWords = / (?:with|has|have|no|without|hide|show) \p{L}+(?= )/gu;
const seen = new Map<string, number>();
const MAX_SEEN = 20_000;

/** Returns the hints for an element, as a bit set. */
export function hintsOf(attributes: Attributes): number {
  const className = attributes.class ?? '';
  const id = attributes.id ?? '';
  // A button that opens a part is the heading of the part.
  const opens = attributes.role === 'button' && attributes['aria-expanded'] !== undefined;
  const role = opens ? '' : (attributes.role ?? '');
  if (className === '' && id === '' && role === '') return 0;
  const classes = className.slice(0, MAX_NAME_CHARS);
  const raw = id === '' && role === '' ? classes : `${classes} ${id.slice(0, 80)} ${role.slice(0, 20)}`;
  const known = seen.get(raw);
  if (known !== undefined) return known;
  const hints = judge(raw);
  if (seen.size >= MAX_SEEN) seen.clear();
  // Copy the key, because a slice would keep the whole page in memory.
  seen.set(Buffer.from(raw, 'utf16le').toString('utf16le'), hints);
  return hints;
}

function judge(raw: string): number {
  let hints = 0;
  const isShownOnWideScreens =
    /\b(?:sm|md|lg|xl|2xl):(?:block|flex|grid|inline|contents|table)|\bd-(?:sm|md|lg|xl)-(?:block|flex|grid|inline)/.test(
      raw,
    );
  for (const name of raw.split(/\s+/)) {
    if (name === '' || noise.test(name) || /[:[\]/]/.test(name)) continue;
    const words = ` ${name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[^\p{L}\p{N}]+|(?<=\p{L})\d+/gu, ' ')
      .toLowerCase()
      .trim()} `;
    const own = words.replace(layoutWords, ' ');
    for (const [hint, pattern] of vocabulary) if (pattern.test(own)) hints |= hint;
  }
  return isShownOnWideScreens ? hints & ~Hint.unseen : hints;
}
