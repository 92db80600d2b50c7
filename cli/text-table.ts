import { escaped } from './escaped.js';

/** Formats rows as a table with their keys as headings. */
export function textTable(rows: object[]): string {
  const [first] = rows;
  if (!first) return 'none';
  const keys = Object.keys(first);
  const cells = rows.map(
    (row) => new Map(Object.entries(row).map(([key, value]) => [key, cellText(key, value)])),
  );
  const columns = keys.map((key) => [key.toUpperCase(), ...cells.map((row) => row.get(key) ?? '')]);
  const widths = columns.map((column) => Math.max(...column.map((cell) => cell.length)));
  return ['', ...rows]
    .map((_, line) =>
      columns
        .map((column, n) => (column[line] ?? '').padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats one field per line. */
export function textFields(value: object): string {
  const width = Math.max(...Object.keys(value).map((key) => key.length));
  return Object.entries(value)
    .map(([key, inner]) => `${key.padEnd(width)}  ${cellText(key, inner)}`)
    .join('\n');
}

/** Formats times, which are fields with names ending in `At`, as UTC. */
function cellText(key: string, value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (key.endsWith('At') && typeof value === 'number')
    return new Date(value * 1000).toISOString().replace('T', ' ').replace('.000Z', 'Z');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return escaped(text);
}
