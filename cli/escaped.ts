/** Control characters, line separators, marks that change the direction of text, and halves of characters. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu;

const short: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const codeOf = (character: string): string =>
  short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes a name, title, URL or message that others have written, for one line of output. Otherwise, it could move the
 * cursor, hide text, or begin a line, which CI systems may read as a command.
 */
export const escaped = (text: string): string => text.replaceAll(UNSAFE, codeOf);

/** Escapes text of several lines. */
export const escapedLines = (text: string): string =>
  text.replaceAll(UNSAFE, (character) => ('\n\t'.includes(character) ? character : codeOf(character)));

/** Formats JSON whose strings are escaped, too: JSON itself leaves some of these characters as they are. */
export const escapedJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : codeOf(character),
  );
