import { format, getFormatDateInfo, getFormatFromId, isValidFormat } from 'numfmt';

/** Excel's limit for a format code. */
const CODE_CHARS = 255;
/** Custom formats start at this id; numfmt would map it to a built-in format. */
const CUSTOM_ID = 50;
/** Days between the starts of the 1900 and the 1904 date system. */
const DAYS_1904 = 1462;

/** Built-in dates in the reader's locale are formatted as ISO 8601. */
const localeDates = new Set([
  14, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

/** Formats the number of a cell as its sheet shows it. */
export type CellFormat = (value: number, is1904: boolean) => string;

/** Excel keeps 15 significant digits. */
export const generalNumber = (value: number): string =>
  String(Number(value.toPrecision(15))).replace('e', 'E');

/**
 * Returns the number format (ECMA-376 part 1, 18.8.30) by its id; a damaged or too long one shows the plain
 * number.
 */
export function cellFormat(id: number, custom: ReadonlyMap<number, string>): CellFormat {
  const code = custom.get(id);
  if (code === undefined && localeDates.has(id)) return id === 22 ? isoDateTime : isoDate;
  return formatOfCode(code ?? (id < CUSTOM_ID ? getFormatFromId(id, 'en') : 'General'));
}

function formatOfCode(code: string): CellFormat {
  if (/^\[\$-F800\]/i.test(code)) return isoDate;
  if (/^\[\$-F400\]/i.test(code)) return isoTime;
  // numfmt's General shows 11 digits, like a narrow column, and writes identifiers as powers of ten.
  if (/^(General|@)?$/i.test(code) || code.length > CODE_CHARS) return generalNumber;
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(code);
  const isDate = year || month || day;
  const shown = isDate || hours || minutes || seconds ? code : withoutLocales(code);
  if (!isValidFormat(shown)) return generalNumber;
  return (value, is1904) => {
    try {
      return format(shown, isDate && is1904 ? value + DAYS_1904 : value, options).trim();
    } catch {
      return generalNumber(value);
    }
  };
}

/** A date outside of the calendar throws, and is shown as a number. */
const options = { dateErrorThrows: true, dateSpanLarge: false };

/** `[$€-407]` is the euro sign. Its decimal comma is ignored, because all other numbers have a point. */
const withoutLocales = (code: string): string => code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, '[$$$1]');

const isoDate = formatOfCode('yyyy-mm-dd');
const isoDateTime = withoutZeroSeconds(formatOfCode('yyyy-mm-dd hh:mm:ss'));
const isoTime = withoutZeroSeconds(formatOfCode('hh:mm:ss'));

function withoutZeroSeconds(time: CellFormat): CellFormat {
  return (value, is1904) => time(value, is1904).replace(/(:\d\d):00$/, '$1');
}
