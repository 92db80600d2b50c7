import type { ContactRow } from '../../ports/store/conversations/contacts.js';

const columns = [
  'id',
  'conversationId',
  'name',
  'email',
  'phone',
  'message',
  'consent',
  'createdAt',
] as const;

/** Begins a formula in a spreadsheet, also in full width. */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const FIRST_SIGN = /^[\t\r]/;
const PHONE = /^[\d +()/-]+$/;

/** Quotes a cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it. */
function cellOf(column: (typeof columns)[number], value: string | number | null): string {
  const text = String(value ?? '');
  const isPhone = column === 'phone' && PHONE.test(text);
  const safe = !isPhone && (FORMULA.test(text) || FIRST_SIGN.test(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

export const csvHeader = lineOf(columns);

export const csvLine = (contact: ContactRow): string =>
  lineOf(columns.map((column) => cellOf(column, contact[column])));
