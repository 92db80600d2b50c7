import { dateOfSerial, formatDate, isoDateTime } from './date-format.js';

/** Formats that ECMA-376 part 1, 18.8.30 fixes by number. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0',
  42: '$#,##0',
  43: '#,##0.00',
  44: '$#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '0.0E+0',
  49: '@',
};

/** Built-in dates whose look is the reader's locale: given as ISO 8601. */
const localeDates = new Set([
  14, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);

/** Turns the number of a cell into what its sheet shows. */
export type CellFormat = (value: number, is1904: boolean) => string;

/** Excel keeps 15 significant digits. */
export const generalNumber = (value: number): string =>
  String(Number(value.toPrecision(15))).replace('e', 'E');

export function cellFormat(id: number, custom: ReadonlyMap<number, string>): CellFormat {
  const code = custom.get(id);
  if (code === undefined && localeDates.has(id)) return isoFormat({ day: true, time: id === 22 });
  return formatOfCode(code ?? builtIn[id] ?? 'General');
}

const isoFormat =
  (parts: { day: boolean; time: boolean }): CellFormat =>
  (value, is1904) => {
    const date = dateOfSerial(value, is1904);
    return date ? isoDateTime(date, parts) : generalNumber(value);
  };

function formatOfCode(code: string): CellFormat {
  const sections = splitSections(code);
  const first = sections[0] ?? '';
  if (/^\[\$-F800\]/i.test(first)) return isoFormat({ day: true, time: false });
  if (/^\[\$-F400\]/i.test(first)) return isoFormat({ day: false, time: true });
  if (isDateCode(first)) {
    return (value, is1904) => {
      const date = dateOfSerial(value, is1904);
      return date ? formatDate(date, value, first) : generalNumber(value);
    };
  }
  if (sections.some((section) => condition.test(section))) return conditional(sections);
  return (value) => {
    const section = value > 0 || sections.length === 1 ? first : (sections[value < 0 ? 1 : 2] ?? first);
    const magnitude = value < 0 && sections.length > 1 ? -value : value;
    return formatNumber(magnitude, section);
  };
}

const condition = /\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/;

/** Sections that say themselves for which numbers they are; the last one is for the rest. */
const conditional =
  (sections: readonly string[]): CellFormat =>
  (value) => {
    const section = sections.find((one) => holds(condition.exec(one), value)) ?? '';
    return isDateCode(section) ? generalNumber(value) : formatNumber(value, section);
  };

function holds(match: RegExpExecArray | null, value: number): boolean {
  const limit = Number(match?.[2]);
  switch (match?.[1]) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '=':
      return value === limit;
    case '<>':
      return value !== limit;
    default:
      return true;
  }
}

/** Sections end at `;`, unless it is quoted or escaped. */
const splitSections = (code: string): string[] =>
  (code.slice(0, 400).match(/(?:"[^"]*"|\\.|[^;"\\])+|;(?=;|$)/g) ?? []).map((part) =>
    part === ';' ? '' : part,
  );

const withoutLiterals = (code: string) => code.replace(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '');

function isDateCode(code: string): boolean {
  const bare = withoutLiterals(code);
  return /[ymdhs]/i.test(bare.replace(/general/gi, '')) && !/[#?0](?!$)/.test(bare.replace(/s+\.0+/gi, ''));
}

/** Digits and separators of one section, between what stands literally before and after them. */
function formatNumber(value: number, section: string): string {
  const bare = withoutLiterals(section);
  if (/general/i.test(bare)) return literals(section.replace(/general/i, `"${generalNumber(value)}"`)).trim();
  if (bare.includes('/') || !/[0#?]/.test(bare)) {
    return bare.includes('/') || section === '' || bare.includes('@')
      ? generalNumber(value)
      : literals(section);
  }
  const digits = /\.?[0#?][0#?,.]*(?:E[+-]?[0#?]+)?/i.exec(bare)?.[0] ?? '0';
  const percent = (bare.match(/%/g) ?? []).length;
  const scale =
    /,+$/.exec(digits.replace(/\.[0#?]*$/, ''))?.[0].length ?? /,*$/.exec(digits)?.[0].length ?? 0;
  const scaled = (value * 100 ** percent) / 1000 ** scale;
  const [at, end] = digitSpan(section);
  const pattern = section.slice(at, end);
  if (isDigitPattern(pattern))
    return `${literals(section.slice(0, at))}${fillDigits(scaled, pattern)}${literals(section.slice(end))}`.trim();
  return `${literals(section.slice(0, at))}${placeDigits(scaled, digits)}${literals(section.slice(end))}`.trim();
}

/** Where the digits of a section begin and end; what is quoted, escaped or in brackets holds none. */
function digitSpan(section: string): [number, number] {
  const masked = section.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, (literal) => ' '.repeat(literal.length));
  const digits = /\.?[0#?](?:.*[0#?])?,*/.exec(masked);
  return digits ? [digits.index, digits.index + digits[0].length] : [section.length, section.length];
}

/** Places for digits with something else between them: phone and social security numbers. */
const isDigitPattern = (pattern: string): boolean =>
  /^[0#?]+(?:(?:[-/() ]|\\.|"[^"]{1,9}")+[0#?]+)+$/.test(pattern);

/** The digits from the right into their places; what is left over stands before the first one. */
function fillDigits(value: number, pattern: string): string {
  const digits = [...Math.abs(Math.round(value)).toFixed(0)];
  const tokens = pattern.match(/[0#?]|\\.|"[^"]*"|./g) ?? [];
  let text = '';
  for (const [i, token] of [...tokens.entries()].reverse()) {
    if (!/^[0#?]$/.test(token)) text = literals(token) + text;
    else if (i === 0) text = (digits.splice(0).join('') || (token === '0' ? '0' : '')) + text;
    else text = (digits.pop() ?? (token === '0' ? '0' : '')) + text;
  }
  return value < 0 ? `-${text}` : text;
}

function placeDigits(value: number, digits: string): string {
  const decimals = /\.([0#?]*)/.exec(digits)?.[1] ?? '';
  const required = decimals.replace(/[#?]+$/, '').length;
  if (/E/i.test(digits)) {
    const [mantissa = '', exponent = ''] = value.toExponential(Math.min(decimals.length, 15)).split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${mantissa}E${sign}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
  }
  if (Math.abs(value) >= 1e21) return generalNumber(value);
  const places = Math.min(decimals.length, 15);
  const rounded = Number(value.toPrecision(15)).toFixed(places);
  const [whole = '0', fraction = ''] = rounded.replace('-', '').split('.');
  const kept = fraction.slice(0, required) + fraction.slice(required).replace(/0+$/, '');
  const width = (digits.split('.')[0] ?? '').replace(/[^0]/g, '').length;
  // Only a 0 asks for a digit where there is none: the zero of accountants is `"-"??`.
  const padded = (width === 0 && whole === '0' ? '' : whole).padStart(width, '0');
  const grouped = /[0#?],[0#?]/.test(digits) ? padded.replace(/\B(?=(?:\d{3})+$)/g, ',') : padded;
  const negative = value < 0 && /[1-9]/.test(rounded) ? '-' : '';
  return `${negative}${grouped}${kept === '' ? '' : `.${kept}`}`;
}

/** What a stretch of a format shows by itself: quoted and escaped text, currency, signs. */
const literals = (code: string): string =>
  code.replace(
    /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.|[@?#]/g,
    (_, quoted, escaped, currency) => String(quoted ?? escaped ?? currency ?? ''),
  );
