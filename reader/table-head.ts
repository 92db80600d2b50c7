/** A longer cell is no column name. */
const MAX_NAME_CHARS = 100;
/** A number, price or date with at most a short unit. */
const valueCell = /^[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;
const year = /^(?:1[89]|20|21)\d\d(?:[/–-]\d{2,4})?$/;
const date =
  /^(?:\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{0,2}[-. ]?\p{L}{3,9}[-. ]{1,2}\d{2,4}|\d{1,2}[-. ]{1,2}\p{L}{3,9}|Q[1-4][-. /]*\d{0,4})$/u;

/** Words that are values. */
const noName = /^(?:n\/?a|none|null|yes|no|true|false|ja|nein|oui|non|s[ií]|x)$/i;

const canName = (cell: string): boolean =>
  cell.length <= MAX_NAME_CHARS && /[\p{L}\p{N}#%€$£№]/u.test(cell) && !noName.test(cell);

const isValue = (cell: string): boolean => valueCell.test(cell);
const isDate = (cell: string): boolean => year.test(cell) || date.test(cell);

/** Numbers in ascending order may be values, if fewer rows below them differ. */
const MIN_ROWS_BELOW_NUMBERS = 2;

/** How sure it is that a row names the columns of the rows below it. */
export type HeadSign = 'clear' | 'possible' | 'none';

/**
 * Judges a first row by the rows below it. Names differ from values: a column has numbers below a word, or numbers that
 * are years, dates or a series have other values below them. Cells are in columns; an empty cell is no value.
 */
export function headSign(first: readonly string[], below: readonly (readonly string[])[]): HeadSign {
  const names = first.filter((cell) => cell !== '');
  if (names.length < 2 || names.some((cell) => !canName(cell))) return 'none';
  const isNamed = (column: number) => (first[column] ?? '') !== '' && !isValue(first[column] ?? '');
  const numbers = first.flatMap((cell, column) => (cell !== '' && !isNamed(column) ? [column] : []));
  if (numbers.length > 0) return numbers.length > 1 && isSeries(first, numbers, below) ? 'clear' : 'none';
  const hasValues = first.some((_, column) => {
    if (!isNamed(column) || isDate(first[column] ?? '')) return false;
    const values = below.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    const withDigits = values.filter((cell) => /\p{N}/u.test(cell)).length;
    return (
      values.length > 0 &&
      (2 * values.filter(isValue).length > values.length ||
        (values.length > 1 && withDigits === values.length && !/\p{N}/u.test(first[column] ?? '')))
    );
  });
  if (hasValues) return 'clear';
  const dates = first.flatMap((cell, column) => (isDate(cell) ? [column] : []));
  return dates.length > 1 && isSeries(first, dates, below) ? 'clear' : 'possible';
}

/** Returns whether numbers name columns: years, dates or ascending numbers, and the values below are of another kind. */
function isSeries(
  first: readonly string[],
  columns: readonly number[],
  below: readonly (readonly string[])[],
): boolean {
  const series = columns.map((column) => first[column] ?? '');
  const values = below.map((row) => columns.map((column) => row[column] ?? ''));
  const isOf = (isOfKind: (cells: readonly string[]) => boolean, atLeast: number, least: number): boolean => {
    const others = values.filter((row) => row.filter((cell) => cell !== '').length >= least);
    const alike = others.filter(isOfKind).length;
    return others.length >= atLeast && isOfKind(series) && 2 * alike <= others.length;
  };
  return isOf(areDates, 1, 1) || isOf(isAscending, MIN_ROWS_BELOW_NUMBERS, 2);
}

const areDates = (cells: readonly string[]): boolean =>
  cells.every(isDate) && new Set(cells).size === cells.length;

function isAscending(cells: readonly string[]): boolean {
  const numbers = cells.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : Number.NaN));
  return (
    numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? Number.NaN)) && cells.length > 1
  );
}
