import type { TextRange } from './sentences.js';
import { linesOf } from './table-rows.js';

/** Matches a running head or foot: at most a title, and a page number. */
const pageLine =
  /^[^.!?\n]{0,80}(?:^|[\s–—|·-])(?:pages?|seite|página|pagina|strona|strana|sayfa|sida|side|стр\.?|страница)\s*\d{1,4}(?:\s*(?:\/|of|von|de|di|van|z|из)\s*\d{1,4})?$/iu;
/** Matches a rule below a title, and the letter above the terms that begin with it. */
const dividingLine = /^(?:[=*_~-]+|\p{L})$/u;
/** Marks and numbers around a title. */
const marks = /^#{1,6}\s+|^[*_]+|^\d+(?:\.\d+)*\.?\s+|[*_#:\s]+$/g;

/** Minimum number of lines without such a title. */
const LEAST_LINES = 4;
/** Minimum share of adjacent lines in order. Terms below another term begin a new order. */
const LEAST_IN_ORDER = { titled: 0.5, untitled: 0.8 };

interface Entry extends TextRange {
  term: string;
  /** Page numbers, prices or quantities. A range counts by its first number. */
  numbers: number[];
}

interface Kind {
  entry: RegExp;
  title: RegExp;
  isInOrder(a: Entry, b: Entry): boolean;
  /** Returns whether untitled lines in order are of this kind. */
  isEvident(entries: readonly Entry[]): boolean;
}

/** Lists of prices may have dots, too, but only page numbers ascend. */
const contents: Kind = {
  entry: /^(?<term>.*?\S)\s*(?:\.{4,}|(?:\. ){3,}|…{2,}|·{4,}|_{4,})\s*(?<numbers>\d{1,4}|[ivxlc]{1,6})$/,
  title:
    /^(?:(?:table of )?contents|inhalt(?:sverzeichnis)?|table des matières|sommaire|(?:tabla de )?contenidos?|índice|indice|sommario|conteúdo|sumário|inhoud(?:sopgave)?|spis treści|obsah|innehåll|indhold|innhold|sisällys(?:luettelo)?|içindekiler|cuprins|tartalom(?:jegyzék)?|περιεχόμενα|содержание|оглавление|зміст|目录|目錄|目次|차례|목차|mục lục|สารบัญ|المحتويات|תוכן העניינים)$/iu,
  isInOrder: (a, b) => (a.numbers[0] ?? 0) <= (b.numbers[0] ?? Number.POSITIVE_INFINITY),
  isEvident: () => true,
};

const { compare } = new Intl.Collator('en');

/** Lists of quantities may be sorted by name, too, but all their lines have the same number of values. */
const index: Kind = {
  entry: /^(?<term>[^,.;:!?|]{1,60})(?<numbers>(?:,\s*\d{1,4}(?:\s*[-–]\s*\d{1,4})?)+)$/u,
  title:
    /^(?:(?:general |subject )?index|index (?:alphabétique|général)|(?:stichwort|sach|personen)(?:register|verzeichnis)|índice (?:alfabético|analítico|remissivo)|indice analitico|trefwoordenregister|skorowidz|indeks|rejstřík|(?:sak|stikords|stikkord)?register|hakemisto|dizin|tárgymutató|ευρετήριο|(?:предметный |алфавитный )?указатель|索引|색인|찾아보기)$/iu,
  isInOrder: (a, b) => compare(a.term, b.term) <= 0,
  isEvident: (entries) =>
    new Set(entries.map(({ numbers }) => numbers.length)).size > 1 &&
    entries.every(({ numbers }) => numbers.every((page, n) => n === 0 || page > (numbers[n - 1] ?? page))),
};

const kinds = [contents, index];

/** Lines below a title, or between blank lines. */
interface Section {
  title: string;
  lines: TextRange[];
}

/**
 * Returns the lines of tables of contents and indexes, and running heads and feet, because they answer nothing. `above`
 * is the heading above the text.
 */
export function indexLinesIn(text: string, above: string): TextRange[] {
  const lines = linesOf(text, 0, text.length).filter((line) => !dividingLine.test(written(text, line)));
  const isPageLine = (line: TextRange): boolean => pageLine.test(written(text, line));
  const sections = sectionsOf(
    text,
    above,
    lines.filter((line) => !isPageLine(line)),
  );
  return [
    ...lines.filter(isPageLine),
    ...sections.flatMap((section) => kinds.flatMap((kind) => entriesOf(text, section, kind))),
  ];
}

const written = (text: string, { start, end }: TextRange): string => text.slice(start, end);
const isTitle = (line: string, { title }: Kind): boolean => title.test(line.replace(marks, ''));

/** Divides lines at titles. A line between two entries, such as "boats: see ships", is none. */
function sectionsOf(text: string, above: string, lines: readonly TextRange[]): Section[] {
  const isAfterGap = (at: number): boolean =>
    /\n\s*\n/.test(text.slice(lines[at - 1]?.end ?? 0, lines[at]?.start ?? text.length));
  const sections: Section[] = [{ title: above, lines: [] }];
  for (const [at, line] of lines.entries()) {
    const title = written(text, line);
    const isEntry = kinds.some(({ entry }) => entry.test(title));
    const isApart = isAfterGap(at) || isAfterGap(at + 1);
    if (!isEntry && (isApart || kinds.some((kind) => isTitle(title, kind))))
      sections.push({ title, lines: [line] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** Returns the entries of this kind in a section, with their title; none if they are facts. */
function entriesOf(text: string, { title, lines }: Section, kind: Kind): TextRange[] {
  const entries = lines.flatMap((line): Entry[] => {
    const { term = '', numbers } = kind.entry.exec(written(text, line))?.groups ?? {};
    return numbers === undefined ? [] : [{ ...line, term, numbers: firstNumbersOf(numbers) }];
  });
  if (entries.length === 0) return [];
  const isTitled = isTitle(title, kind);
  if (!isTitled && (entries.length < LEAST_LINES || !kind.isEvident(entries))) return [];
  const pairs = entries.slice(1).map((entry, n) => kind.isInOrder(entries[n] ?? entry, entry));
  const inOrder = pairs.filter(Boolean).length;
  if (inOrder < LEAST_IN_ORDER[isTitled ? 'titled' : 'untitled'] * pairs.length) return [];
  return [...lines.filter((line) => isTitle(written(text, line), kind)), ...entries];
}

/** Returns the numbers behind commas. Roman numbers are left out. */
const firstNumbersOf = (numbers: string): number[] =>
  numbers.split(',').flatMap((part) => /\d+/.exec(part)?.map(Number) ?? []);
