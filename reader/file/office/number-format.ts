import { format, getFormatDateInfo, getFormatFromId, isValidFormat } from 'numfmt';

/** Excel's limit for a format code. */
const CODE_CHARS = 255;
/** Custom formats start at this id; numfmt would map it to a built-in format. */
const CUSTOM_ID = 50;
/** Days between the starts of the 1900 and the 1904 date system. */
const DAYS_1904 = 1462;

/** Ids of built-in date formats that depend on the reader's locale. They are formatted as ISO 8601. */
const localeDates = new Set([
  14, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

/** Formats a cell's number as the sheet displays it. */
export type CellFormat = (value: number, is1904: boolean) => string;

/** Excel keeps 15 significant digits. */
export const generalNumber = (value: number): string =>
  String(Number(value.toPrecision(15))).replace('e', 'E');

/**
 * Returns the number format with this id (ECMA-376 part 1, 18.8.30). For a damaged or too long format, numbers are
 * shown unformatted.
 */
export function cellFormat(id: number, custom: ReadonlyMap<number, string>): CellFormat {
  const code = custom.get(id);
  if (code === undefined && localeDates.has(id)) return id === 22 ? isoDateTime : isoDate;
  return formatOfCode(code ?? (id < CUSTOM_ID ? getFormatFromId(id, 'en') : 'General'));
}

/** Returns the format of a code, such as `0.0%` or `mmm\-yy`. */
export function formatOfCode(code: string): CellFormat {
  if (/^\[\$-F800\]/i.test(code)) return isoDate;
  if (/^\[\$-F400\]/i.test(code)) return isoTime;
  // numfmt's General format shows 11 digits, as a narrow column does, and writes long identifiers as powers of ten.
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

/** For a date outside the calendar, numfmt throws, and the number is shown. */
const options = { dateErrorThrows: true, dateSpanLarge: false };

/**
 * `[$€-407]` means the euro sign in a locale. The locale's decimal comma is ignored, because all other numbers have a
 * decimal point.
 */
const withoutLocales = (code: string): string => code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, '[$$$1]');

const isoDate = formatOfCode('yyyy-mm-dd');
const isoDateTime = withoutZeroSeconds(formatOfCode('yyyy-mm-dd hh:mm:ss'));
const isoTime = withoutZeroSeconds(formatOfCode('hh:mm:ss'));

function withoutZeroSeconds(time: CellFormat): CellFormat {
  return (value, is1904) => time(value, is1904).replace(/(:\d\d):00$/, '$1');
}
