import type { Attributes } from './attributes.js';

/** Elements that carry roles of a table in pages that draw it by style. */
const neutral: ReadonlySet<string> = new Set(['div', 'span', 'section', 'ul', 'li', 'p']);
const tables: ReadonlySet<string> = new Set(['table', 'grid']);
const parts: ReadonlyMap<string, string> = new Map([
  ['rowgroup', 'tbody'],
  ['row', 'tr'],
  ['cell', 'td'],
  ['gridcell', 'td'],
  ['columnheader', 'th'],
  ['rowheader', 'th'],
]);

/** Returns the name of the element of a table that has the same role, https://www.w3.org/TR/wai-aria-1.2/#table. */
export function nameByRole(name: string, { role }: Attributes, isInTable: boolean): string {
  if (role === undefined || !neutral.has(name)) return name;
  if (tables.has(role)) return 'table';
  return (isInTable ? parts.get(role) : undefined) ?? name;
}
