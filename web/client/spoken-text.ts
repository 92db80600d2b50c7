/** The row between the head and the body of a Markdown table. */
const TABLE_RULE = /^[\s|:-]*-[\s|:-]*$/;
const TABLE_ROW = /^\s*\|(.*)\|\s*$/;

/** Returns a Markdown answer for screen readers: without citations and marks, and with table rows as lists of cells. */
export const spokenText = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !TABLE_RULE.test(line))
    .map((line) => {
      const [, cells] = TABLE_ROW.exec(line) ?? [];
      return cells === undefined
        ? line
        : cells
            .split('|')
            .map((cell) => cell.trim())
            .join(', ');
    })
    .join('\n')
    .replace(/\[\d+\]|[*`#]/g, '')
    .trim();
