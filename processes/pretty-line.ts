/*
 * Readable log lines for terminals.
 */

const words: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: '\u001b[33mwarn\u001b[0m',
  50: '\u001b[31merror\u001b[0m',
  60: '\u001b[31mfatal\u001b[0m',
};
/** Length of the longest of `words`. */
const WIDTH = 5;
const colours = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');

const timeOf = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** Replaces control characters, so that texts from outside cannot move the cursor. */
const safe = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');

function formatted(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  const { message } = Object(value) as { message?: unknown };
  return typeof message === 'string' ? JSON.stringify(message) : (JSON.stringify(value) ?? '');
}

/** Formats a JSON log line as time, level, message and fields. Returns other lines unchanged. */
export function prettyLine(line: string): string {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, process: _, msg, ...fields } = parsed;
  if (typeof level !== 'number' || typeof time !== 'number') return line;
  const word = words[level] ?? String(level);
  const pad = ' '.repeat(Math.max(0, WIDTH - word.replace(colours, '').length));
  const shown = Object.entries(fields).map(([name, value]) => `  ${name}=${formatted(value)}`);
  return `${timeOf(time)} ${word}${pad} ${safe(`${String(msg ?? '')}${shown.join('')}`)}\n`;
}
