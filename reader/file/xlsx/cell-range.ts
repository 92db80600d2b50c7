/** A rectangle of cells. Rows count from 1, columns from 0; the last ones belong to it. */
export interface CellRange {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Parses the column of a cell reference: `AB12` is in column 27. */
export function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined;
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = (reference.charCodeAt(i) | 0x20) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column > 0 ? column - 1 : undefined;
}

/** Parses a range such as `B2:D9`; null if it is none. */
export function rangeOf(reference: string): CellRange | null {
  const [, from, top, to, bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/i.exec(reference) ?? [];
  const left = columnOf(from);
  const right = columnOf(to);
  if (left === undefined || right === undefined) return null;
  return { top: Number(top), left, bottom: Number(bottom), right };
}
