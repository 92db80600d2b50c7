import { joinLine } from '../lines/join-line.js';
import type { TextLine } from '../lines/text-lines.js';

/** Consecutive lines that form one heading. */
interface Heading {
  /** Indexes of its lines; `end` is exclusive. */
  from: number;
  end: number;
  rank: number;
  text: string;
}

/** Maximum distance between two lines of one heading, in letter heights. */
const LEADING = 1.7;
const MAX_LINES = 3;
const MAX_CHARS = 200;
/** A text with more commas is a list, for example of authors. */
const MAX_COMMAS = 2;
/** A text of this many words that ends with a full stop is a sentence. */
const MIN_SENTENCE_WORDS = 8;
const MIN_LETTER_SHARE = 1 / 3;
/** This many headings of one rank without text between them are a list, or names below a title. */
const MIN_LIST = 3;

const itemNumber = /^\(?(\d{1,3})[.)]\s/;
const sectionNumber = /^\d{1,3}(?:\.\d{1,3})*(?=[.)]?\s)/;
const bullet = /^[•▪◦‣·●○■□–—*-]\s/;

/** Returns the ranks of the lines, with 0 for lists, names, addresses and sentences in large letters. */
export function withoutFalseHeadings(lines: readonly TextLine[], ranks: readonly number[]): number[] {
  const headings = headingsOf(lines, ranks);
  const kept = [...ranks];
  for (const [first, last] of listsOf(headings)) {
    for (const [at, heading] of headings.slice(first, last + 1).entries()) {
      // The first heading of a page is its title, which names may follow.
      const isTitle = at === 0 && heading.from === 0 && last > first;
      if (isNoHeading(heading) || (!isTitle && isListed(headings, first, last)))
        kept.fill(0, heading.from, heading.end);
    }
  }
  return kept;
}

function headingsOf(lines: readonly TextLine[], ranks: readonly number[]): Heading[] {
  const headings: Heading[] = [];
  for (const [i, line] of lines.entries()) {
    const rank = ranks[i] ?? 0;
    if (rank === 0) continue;
    const last = headings.at(-1);
    const above = lines[i - 1];
    const isNext = last !== undefined && above !== undefined && last.end === i && last.rank === rank;
    if (isNext && continues(above, line)) {
      last.end = i + 1;
      if (last.end - last.from <= MAX_LINES) last.text = joinLine(last.text, line.text, true);
    } else headings.push({ from: i, end: i + 1, rank, text: line.text });
  }
  return headings;
}

function continues(above: TextLine, line: TextLine): boolean {
  const distance = above.v - line.v;
  return (
    distance > 0 &&
    distance <= LEADING * line.size &&
    !sectionNumber.test(line.text) &&
    !bullet.test(line.text)
  );
}

function isNoHeading({ from, end, text }: Heading): boolean {
  if (end - from > MAX_LINES || text.length > MAX_CHARS) return true;
  if ((text.match(/[,،、，]/g)?.length ?? 0) > MAX_COMMAS) return true;
  if (/\S@\S|https?:|www\./.test(text) || bullet.test(text)) return true;
  if (/^\(?\d{1,3}[.)]\s+\p{Ll}/u.test(text) || /[,;]$/.test(text)) return true;
  if (/\p{Ll}\.$/u.test(text) && text.split(' ').length >= MIN_SENTENCE_WORDS) return true;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters < MIN_LETTER_SHARE * text.replace(/\s/g, '').length;
}

/** Returns the first and last indexes of headings of one rank without text between them. */
function listsOf(headings: readonly Heading[]): [first: number, last: number][] {
  const lists: [number, number][] = [];
  for (const [i, heading] of headings.entries()) {
    const list = lists.at(-1);
    if (list !== undefined && isDirectlyAbove(headings[i - 1], heading)) list[1] = i;
    else lists.push([i, i]);
  }
  return lists;
}

/** Returns whether headings of one rank are a list, or are directly above a heading of a higher rank. */
function isListed(headings: readonly Heading[], first: number, last: number): boolean {
  const [heading, end, next] = [headings[first], headings[last], headings[last + 1]];
  const isAboveHigher = end !== undefined && next?.from === end.end && next.rank < end.rank;
  return isAboveHigher || last - first + 1 >= MIN_LIST || isNumberedAfter(heading, end);
}

/** Returns whether a heading directly follows another of the same rank and is not a subsection of it. */
function isDirectlyAbove(above: Heading | undefined, heading: Heading | undefined): boolean {
  if (above === undefined || heading === undefined) return false;
  if (above.end !== heading.from || above.rank !== heading.rank) return false;
  const number = sectionNumber.exec(above.text)?.[0];
  return number === undefined || !heading.text.startsWith(`${number}.`) || itemNumber.test(heading.text);
}

function isNumberedAfter(above: Heading | undefined, heading: Heading | undefined): boolean {
  const [before, own] = [above, heading].map((one) => itemNumber.exec(one?.text ?? '')?.[1]);
  return before !== undefined && own !== undefined && Number(own) === Number(before) + 1;
}
