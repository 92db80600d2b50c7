/** Characters of a part of a table: about those of a chunk, so that each chunk says what its columns are. */
const PART_CHARS = 1_200;
const PART_ROWS = 50;
/** A long head is given less often: it is never more than a fifth of the text. */
const PARTS_PER_HEAD = 4;

/** Whether the head of a table is to be given again before a row; asked for each row in turn. */
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
