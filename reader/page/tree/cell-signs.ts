import type { Attributes } from './attributes.js';
import { foldBlanks } from './fold-blanks.js';
import { Hint } from './name-hints.js';

/** Longer texts describe a picture, and are no value. */
const MAX_SIGN_CHARS = 60;
/** A cell with more rows is no sign. Limits the time for tables within tables. */
const MAX_ROWS = 100;
const fileName = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;

/** Class names of icons for yes and no, as icon fonts have them. */
const icon =
  /(?:^|\s)(?:fa[a-z]?|icons?|bi|glyphicon|dashicons|ti|mdi|la|ri|lucide|feather|ion|material-symbols|i)(?:[-_]\w+)?[-_](?:(check|tick|ok|yes|done|checkmark)|(times|xmark|x|cross|close|remove|no|cancel|ban|dismiss))(?:[-_](?:circle|square|lg|mark|alt|[o2l]|fill|line|bold|solid))*(?=\s|$)/i;

/** Ends of all these names, to skip other names fast. */
const mayBeIcon = /[-_](?:check|tick|ok|yes|done|times|x|cross|close|remove|no|cancel|ban|dismiss)/i;

/** Returns a sign for an icon that means yes or no by its class name; '' for other elements. */
export function iconSign({ class: names }: Attributes): '✓' | '✗' | '' {
  if (names === undefined || !mayBeIcon.test(names)) return '';
  const [found, yes] = icon.exec(names.slice(0, 300)) ?? [];
  if (found === undefined) return '';
  return yes === undefined ? '✗' : '✓';
}

/** Names of files with a picture for yes or no, also with a colour or a size, unless the word is as vague as in `x-large.png`. */
const answerFile =
  /(?:^|\/)(?:icons?[-_])?(?:(check(?:mark|ed)?|tick|yes|ok|haken|ja|si|oui)|(cross|xmark|(?:no|x|close)(?=\.)|kreuz|nein|non))(?:[-_](?:green|red|gr[ae]y|black|white|blue|small|large|icon|\d{1,4}(?:x\d{1,4})?(?:px)?))?\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

function fileSign(source: string | undefined): '✓' | '✗' | '' {
  const [found, yes] = answerFile.exec((source ?? '').slice(0, 1000)) ?? [];
  if (found === undefined) return '';
  return yes === undefined ? '✗' : '✓';
}

/** Returns the text of an icon or picture, as in `<img alt="yes">`; '' without one. */
export function signOf(name: string, { alt, title, 'aria-label': label, ...more }: Attributes): string {
  if (more['aria-hidden'] === 'true') return iconSign(more);
  const said = foldBlanks(label || (name === 'img' ? alt : '') || title || '').trim();
  if (said !== '' && said.length <= MAX_SIGN_CHARS && !fileName.test(said)) return said;
  return iconSign(more) || (name === 'img' ? fileSign(more.src) : '');
}

/** The columns of a page tree that are read here, and the rows of one cell. */
interface Cell {
  text: readonly string[];
  hints: number[];
  parent: readonly number[];
  row: number;
  end: number;
}

/**
 * Returns whether a cell shows no text. Text that only screen readers read counts if there is no other text, because it
 * names the sign beside it: its elements lose the hint that they are unseen.
 */
export function isWithoutText({ text, hints, parent, row, end }: Cell): boolean {
  if (end - row > MAX_ROWS) return false;
  const isUnseen = (at: number): boolean => {
    for (let above = parent[at] ?? row; above > row; above = parent[above] ?? row)
      if (((hints[above] ?? 0) & Hint.unseen) !== 0) return true;
    return false;
  };
  let unseen = 0;
  for (let at = row + 1; at < end; at++) {
    if ((text[at] ?? '').trim() === '') continue;
    if (!isUnseen(at)) return false;
    unseen++;
  }
  if (unseen === 0) return true;
  for (let at = row + 1; at < end; at++) hints[at] = (hints[at] ?? 0) & ~Hint.unseen;
  return false;
}
