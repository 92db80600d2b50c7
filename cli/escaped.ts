/** Control characters, line separators, marks that change the direction of text, and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const codeOf = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes text from other people (a name, title, URL or message) for one line of output. Otherwise, it could move the
 * cursor, hide text, or begin a line that a CI system executes as a command.
 */
export const escaped = (text: string): string => text.replaceAll(UNSAFE, codeOf);

/** Escapes text of several lines. Line feeds are kept. */
export const escapedLines = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => ('\n\t'.includes(character) ? character : codeOf(character)));

/** Formats JSON and escapes its strings, because JSON leaves some of these characters unescaped. */
export const escapedJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : codeOf(character),
  );
