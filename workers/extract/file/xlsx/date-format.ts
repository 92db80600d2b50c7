/** Serial 25569 is 1970-01-01 in the 1900 date system; the 1904 system starts 1462 days later. */
const UNIX_EPOCH_SERIAL = 25_569;
const DAYS_1904 = 1462;
const LARGEST_SERIAL = 2_958_466;

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The instant of a serial, as if its wall clock were UTC; null outside the calendar of spreadsheets. */
export function dateOfSerial(serial: number, is1904: boolean): Date | null {
  const days = serial + (is1904 ? DAYS_1904 : 0);
  if (!(days >= 0 && days < LARGEST_SERIAL)) return null;
  const beforeFakeLeapDay = !is1904 && days < 60 ? 1 : 0;
  const ms = Math.round((days + beforeFakeLeapDay - UNIX_EPOCH_SERIAL) * 86_400) * 1000;
  return new Date(ms);
}

const pad = (value: number, width: number) => String(value).padStart(width, '0');

/** `2024-05-17`, `2024-05-17 10:30` or `10:30:05`: for formats whose look depends on the reader's locale. */
export function isoDateTime(date: Date, parts: { day: boolean; time: boolean }): string {
  const iso = date.toISOString();
  const time = iso.slice(17, 19) === '00' ? iso.slice(11, 16) : iso.slice(11, 19);
  return [parts.day ? iso.slice(0, 10) : '', parts.time ? time : ''].filter((part) => part !== '').join(' ');
}

const tokenPattern =
  /\[(?:h+|m+|s+)\]|"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|AM\/PM|A\/P|y+|m+|d+|h+|s+(?:\.0+)?|e+|g+|b+|./gi;

/** Formats by the date codes of ECMA-376 part 1, 18.8.31; `serial` is for elapsed time (`[h]:mm`). */
export function formatDate(date: Date, serial: number, format: string): string {
  const tokens = format.match(tokenPattern) ?? [];
  const twelveHours = tokens.some((token) => /^(AM\/PM|A\/P)$/i.test(token));
  let text = '';
  let lastClock = '';
  for (const [i, token] of tokens.entries()) {
    const key = token[0]?.toLowerCase() ?? '';
    if (token.startsWith('"')) text += token.slice(1, -1);
    else if (token.startsWith('\\')) text += token.slice(1);
    else if (token.startsWith('_')) text += ' ';
    else if (token.startsWith('*')) continue;
    else if (/^\[[hms]+\]$/i.test(token)) text += elapsed(serial, token);
    else if (token.startsWith('[')) continue;
    else if (/^(AM\/PM|A\/P)$/i.test(token)) text += date.getUTCHours() < 12 ? 'AM' : 'PM';
    else if (key === 'm' && (lastClock === 'h' || nextClock(tokens, i) === 's')) {
      text += pad(date.getUTCMinutes(), Math.min(token.length, 2));
    } else text += datePart(date, token, twelveHours);
    if (/^\[?[hmsdy]/i.test(token)) lastClock = token.replace('[', '')[0]?.toLowerCase() ?? '';
  }
  return text.trim();
}

function nextClock(tokens: readonly string[], from: number): string {
  const next = tokens.slice(from + 1).find((token) => /^\[?[hmsdy]/i.test(token));
  return next?.replace('[', '')[0]?.toLowerCase() ?? '';
}

function elapsed(serial: number, token: string): string {
  const unit = token[1]?.toLowerCase();
  const perDay = unit === 'h' ? 24 : unit === 'm' ? 1440 : 86_400;
  return pad(Math.floor(serial * perDay + 1e-6), token.length - 2);
}

function datePart(date: Date, token: string, twelveHours: boolean): string {
  const length = token.length;
  switch (token[0]?.toLowerCase()) {
    case 'y':
    case 'e':
      return length <= 2 && token[0]?.toLowerCase() === 'y'
        ? pad(date.getUTCFullYear() % 100, 2)
        : pad(date.getUTCFullYear(), 4);
    case 'm': {
      const name = months[date.getUTCMonth()] ?? '';
      if (length === 5) return name.slice(0, 1);
      return length === 4 ? name : length === 3 ? name.slice(0, 3) : pad(date.getUTCMonth() + 1, length);
    }
    case 'd': {
      const name = weekdays[date.getUTCDay()] ?? '';
      return length >= 4 ? name : length === 3 ? name.slice(0, 3) : pad(date.getUTCDate(), length);
    }
    case 'h': {
      const hour = date.getUTCHours();
      return pad(twelveHours ? hour % 12 || 12 : hour, Math.min(length, 2));
    }
    case 's': {
      const decimals = token.split('.')[1]?.length ?? 0;
      const width = Math.min(token.split('.')[0]?.length ?? 1, 2);
      return pad(date.getUTCSeconds(), width) + (decimals > 0 ? `.${'0'.repeat(decimals)}` : '');
    }
    case 'g':
    case 'b':
      return '';
    default:
      return token;
  }
}
