import { format, getFormatDateInfo, getFormatFromId, isValidFormat } from 'numfmt';

/** Excel takes no longer format code. */
const CODE_CHARS = 255;
/** Formats from here on have a code in the file; numfmt would start again at the first built-in one. */
const CUSTOM_ID = 50;
/** The 1904 date system starts so many days after that of 1900. */
const DAYS_1904 = 1462;

/** Built-in dates whose look is the reader's locale: given as ISO 8601. */
const localeDates = new Set([
  14, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

/** Turns the number of a cell into what its sheet shows. */
export type CellFormat = (value: number, is1904: boolean) => string;

/** Excel keeps 15 significant digits. */
export const generalNumber = (value: number): string =>
  String(Number(value.toPrecision(15))).replace('e', 'E');

/** The format of ECMA-376 part 1, 18.8.30 by its number; one that is damaged or too long shows the plain number. */
export function cellFormat(id: number, custom: ReadonlyMap<number, string>): CellFormat {
  const code = custom.get(id);
  if (code === undefined && localeDates.has(id)) return id === 22 ? isoDateTime : isoDate;
  return formatOfCode(code ?? (id < CUSTOM_ID ? getFormatFromId(id, 'en') : 'General'));
}

function formatOfCode(code: string): CellFormat {
  if (/^\[\$-F800\]/i.test(code)) return isoDate;
  if (/^\[\$-F400\]/i.test(code)) return isoTime;
  // General of numfmt shows 11 digits, as a narrow column would, and turns identifiers into powers of ten.
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

/** A date outside of the calendar throws, and is shown as the number that it is. */
const options = { dateErrorThrows: true, dateSpanLarge: false };

/** `[$€-407]` is the euro sign; the decimal comma that it asks for is left out, as all other numbers have a point. */
const withoutLocales = (code: string): string => code.replace(/\[\$([^\]-]*)-[^\]]*\]/g, '[$$$1]');

const isoDate = formatOfCode('yyyy-mm-dd');
const isoDateTime = withoutZeroSeconds(formatOfCode('yyyy-mm-dd hh:mm:ss'));
const isoTime = withoutZeroSeconds(formatOfCode('hh:mm:ss'));

function withoutZeroSeconds(time: CellFormat): CellFormat {
  return (value, is1904) => time(value, is1904).replace(/(:\d\d):00$/, '$1');
}
