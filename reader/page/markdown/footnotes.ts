import { closest } from '../content/landmarks.js';
import { afterSubtree, ancestorsOf, holdsTag, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';

/** Footnote references, notes, and links from notes to references, by row. */
export interface Footnotes {
  /** Labels of references by row. The row is the anchor, or an element that only wraps it. */
  references: ReadonlyMap<number, string>;
  /** Labels of notes by the row of their block. */
  notes: ReadonlyMap<number, string>;
  /** Rows of notes by the row of their reference. */
  noteOf: ReadonlyMap<number, number>;
  /** Rows of links from a note back to the text. */
  backlinks: ReadonlySet<number>;
}

const MAX_NOTES = 3_000;
const MAX_NOTE_CHARS = 1_990;
/** Maximum characters of a wrapper besides its link. */
const MAX_WRAPPER_CHARS = 12;
/** Maximum rows of a link, a wrapper and a note. */
const MAX_LINK_ROWS = 30;
const MAX_NOTE_ROWS = 1_000;
const label = /^[[(（［〔]?\s*(\d{1,3}|[*†‡§¶]{1,3}|[a-z]|[ivxl]{1,5})\s*[\])）］〕]?$/i;
/** Maximum length of a label. */
const MAX_LABEL_CHARS = 30;
const backLabel =
  /^(?:[\s^↩↵⤴⏎↑←.,[\]()]|🔙|\ufe0e|\ufe0f|[a-z]{1,2}\b|\d{1,3}|(?:go |jump )?back(?: to (?:the )?(?:text|content|reference|article|top))?|return(?: to (?:the )?(?:text|article))?|zurück|retour|volver|voltar|torna|назад|wróć|戻る|返回)+$/iu;
const noteWords =
  /(?:^|[^a-z])_*(?:s?fn|foot-?notes?|end-?notes?|side-?notes?|note|cite|citation|ftn|edn|noteref|bibr?|refs?|reference)/i;
const none: Footnotes = {
  references: new Map(),
  notes: new Map(),
  noteOf: new Map(),
  backlinks: new Set(),
};

const known = new WeakMap<PageTree, Footnotes>();

/** Finds notes by the links between notes and text. */
export function footnotesOf(tree: PageTree): Footnotes {
  const before = known.get(tree);
  if (before !== undefined) return before;
  const found = findFootnotes(tree);
  known.set(tree, found);
  return found;
}

function findFootnotes(tree: PageTree): Footnotes {
  const anchors = localLinks(tree);
  if (!anchors.some(({ row, fragment }) => isReference(tree, row, fragment))) return none;
  const places = placesOf(tree);
  const references = new Map<number, string>();
  const notes = new Map<number, string>();
  const noteOf = new Map<number, number>();
  const backlinks = new Set<number>();
  const referring = new Set<number>();
  for (const { row, fragment } of anchors) {
    const target = places.get(fragment);
    if (target === undefined) continue;
    if (target < row && leadsToReference(tree, target, referring)) {
      if (isInNote(tree, row, notes) && backLabel.test(textOf(tree, row) || '^'))
        backlinks.add(wrapperOf(tree, row, backLabel));
      continue;
    }
    const text = label.exec(textOf(tree, row))?.[1];
    if (text === undefined || !looksLikeReference(tree, row, fragment)) continue;
    const note = noteAt(tree, target);
    if (note < 0 || (row >= note && row < afterSubtree(tree, note))) continue;
    if (!notes.has(note) && notes.size >= MAX_NOTES) continue;
    const reference = wrapperOf(tree, row, label);
    referring.add(row);
    references.set(reference, text);
    noteOf.set(reference, note);
    if (!notes.has(note)) notes.set(note, text);
  }
  return { references, notes, noteOf, backlinks };
}

const isReference = (tree: PageTree, row: number, fragment: string): boolean =>
  (tree.text[row + 1] ?? '').trim().length <= MAX_LABEL_CHARS &&
  label.test(textOf(tree, row)) &&
  looksLikeReference(tree, row, fragment);

function localLinks(tree: PageTree): { row: number; fragment: string }[] {
  const found: { row: number; fragment: string }[] = [];
  for (let row = 1; row < tree.tag.length; row++) {
    if (tree.tag[row] !== 'a' || afterSubtree(tree, row) - row > MAX_LINK_ROWS) continue;
    const href = tree.attributes[row]?.href ?? '';
    const mark = href.indexOf('#');
    if (mark >= 0 && mark < href.length - 1) found.push({ row, fragment: decoded(href.slice(mark + 1)) });
  }
  return found;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Returns rows by id or anchor name. If a name occurs several times, the first row counts. */
function placesOf(tree: PageTree): Map<string, number> {
  const places = new Map<string, number>();
  for (let row = 1; row < tree.tag.length; row++) {
    const { id, name } = tree.attributes[row] ?? {};
    if (id !== undefined && !places.has(id)) places.set(id, row);
    if (name !== undefined && tree.tag[row] === 'a' && !places.has(name)) places.set(name, row);
  }
  return places;
}

/** Returns whether a row is a known reference, or directly contains one or is contained in one. */
function leadsToReference(tree: PageTree, place: number, referring: ReadonlySet<number>): boolean {
  const end = Math.min(afterSubtree(tree, place), place + 200);
  for (let row = place; row < end; row++) if (referring.has(row)) return true;
  return referring.has(tree.parent[place] ?? -1);
}

const isInNote = (tree: PageTree, row: number, notes: ReadonlyMap<number, string>): boolean =>
  [row, ...ancestorsOf(tree, row)].some((above) => notes.has(above));

function looksLikeReference(tree: PageTree, row: number, fragment: string): boolean {
  const { class: name = '', id = '', role = '', rel = '' } = tree.attributes[row] ?? {};
  // A name of one letter is often a variable in a program.
  const isName = /^\p{L}/u.test(textOf(tree, row));
  if (!isName && noteWords.test(`${name} ${id} ${role} ${rel} ${fragment}`)) return true;
  return closest(tree, row, raised) >= 0 || holdsTag(tree, row, 'sup');
}

const raised: ReadonlySet<string> = new Set(['sup']);

/** Returns the block that starts with or contains a row; -1 if the block is not a note. */
function noteAt(tree: PageTree, place: number): number {
  const tag = tree.tag[place] ?? '';
  const block = blockTags.has(tag) ? place : closest(tree, place, blockTags);
  const blockTag = tree.tag[block] ?? '';
  if (afterSubtree(tree, block) - block > MAX_NOTE_ROWS) return -1;
  if (block <= 0 || blockTag === 'body' || headingLevels.has(blockTag)) return -1;
  const chars = textOf(tree, block).length;
  return chars > 0 && chars < MAX_NOTE_CHARS ? block : -1;
}

/** Returns the outermost inline element that contains only the link. */
function wrapperOf(tree: PageTree, link: number, pattern: RegExp): number {
  let row = link;
  for (let above = tree.parent[row] ?? 0; above > 0 && !blockTags.has(tree.tag[above] ?? ''); ) {
    if (afterSubtree(tree, above) - above > MAX_LINK_ROWS) break;
    const text = textOf(tree, above);
    if (text.length > MAX_WRAPPER_CHARS || !pattern.test(text)) break;
    row = above;
    above = tree.parent[above] ?? 0;
  }
  return row;
}

/** Finds the notes to which `rows` refer in dropped parts (a footer, an aside or a list), and restores them. */
export function notesElsewhere(tree: PageTree, rows: readonly number[], dropped: Uint8Array): number[] {
  const { noteOf } = footnotesOf(tree);
  const isWritten = (row: number): boolean => {
    for (let above = row; above >= 0; above = tree.parent[above] ?? -1) {
      if (dropped[above] === 1) return false;
      if (rows.includes(above)) return true;
    }
    return false;
  };
  const found = new Set<number>();
  for (const [reference, note] of noteOf) {
    const block = tree.parent[reference] ?? 0;
    if (isWritten(block) && !isWritten(note)) found.add(note);
  }
  for (const note of found) dropped.fill(0, note, afterSubtree(tree, note));
  return [...found].sort((one, other) => one - other);
}
