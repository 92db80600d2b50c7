/**
 * Characters of a table between two repetitions of its header: about one chunk, so that each chunk names the columns.
 */
const PART_CHARS = 1_200;
const PART_ROWS = 50;
/** Limits a long header to a fifth of the text by repeating it less often. */
const PARTS_PER_HEAD = 4;

/** Returns a function that decides for each row, in order, whether to repeat the table's header before it. */
export function createHeadRepeat(head: string): (row: string) => boolean {
  const limit = Math.max(PART_CHARS, PARTS_PER_HEAD * head.length);
  let chars = 0;
  let rows = 0;
  return (row) => {
    const isDue = rows > 0 && (rows >= PART_ROWS || chars + row.length > limit);
    if (isDue) {
      chars = 0;
      rows = 0;
    }
    chars += row.length + 1;
    rows += 1;
    return isDue;
  };
}
