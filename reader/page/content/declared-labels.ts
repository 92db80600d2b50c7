import { jsonLdObjects } from '../facts/json-ld.js';
import { isRecord } from '../facts/json-value.js';
import { foldedText } from '../tree/fold-blanks.js';
import type { PageTree } from '../tree/page-tree.js';
import { isArticlePage } from './page-kind.js';

const MAX_LABEL_CHARS = 80;
/** Maximum words in a date: weekday, month, hour and time zone. */
const MAX_DATE_WORDS = 5;
const noLabel = (): boolean => false;

/**
 * Returns a function that detects lines around a text that only repeat the article's metadata: date, authors, section
 * or publisher.
 */
export function createIsDeclaredLabel(tree: PageTree): (line: string) => boolean {
  if (!isArticlePage(tree)) return noLabel;
  const days = daysOf(tree);
  const names = declaredNames(tree);
  return (line) => {
    if (line.length > MAX_LABEL_CHARS) return false;
    return names.has(bareName(line)) || days.some((day) => isDay(line, day));
  };
}

/** Removes brackets and the word before an author's name. */
const bareName = (line: string): string =>
  foldedText(line)
    .replace(/^[([（【]|[)\]）】]$/g, '')
    .replace(/^(?:by|von|par|por|de|di|da|av|door|od|автор|текст|文)(?:\s*[:：]\s*|\s+)/u, '')
    .trim();

interface Day {
  year: number;
  month: number;
  day: number;
}

function daysOf(tree: PageTree): Day[] {
  const { meta } = tree.head;
  const stated: unknown[] = ['article:published_time', 'article:modified_time', 'date'].map((name) =>
    meta.get(name),
  );
  for (const thing of jsonLdObjects(tree)) stated.push(thing.datePublished, thing.dateModified);
  return stated.flatMap((time) => {
    const parts = typeof time === 'string' ? /^\s*(\d{4})-(\d{2})-(\d{2})/.exec(time) : null;
    return parts === null ? [] : [{ year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]) }];
  });
}

/** Returns whether the line is this date with hardly any other words. */
function isDay(line: string, { year, month, day }: Day): boolean {
  const numbers = (line.match(/\d+/g) ?? []).map(Number);
  const words = line.match(/\p{L}+/gu) ?? [];
  if (
    words.length > MAX_DATE_WORDS ||
    /[.!?。]$/.test(line) ||
    !numbers.includes(year) ||
    !numbers.includes(day)
  )
    return false;
  return words.length > 0 || numbers.includes(month);
}

/** Returns the folded names of authors, section, publisher and site. */
export function declaredNames(tree: PageTree): Set<string> {
  const { meta } = tree.head;
  const stated: unknown[] = ['author', 'article:author', 'article:section', 'og:site_name'].map((name) =>
    meta.get(name),
  );
  for (const { author, publisher, articleSection, sourceOrganization } of jsonLdObjects(tree))
    stated.push(...[author, publisher, articleSection, sourceOrganization].flat());
  const names = stated.map((one) => (isRecord(one) ? one.name : one));
  return new Set(
    names
      .filter((name) => typeof name === 'string')
      .map(foldedText)
      .filter((name) => name !== ''),
  );
}
