const asPattern = (text: string): string => `%${text.replace(/[!%_]/g, '!$&')}%`;
/** SQLite only folds ASCII. */
const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Returns a condition for columns that contain a text, regardless of case, and its parameters. */
export function containing(columns: readonly string[], text: string): { sql: string; params: string[] } {
  const patterns = [...new Set([text.toLowerCase(), foldAscii(text)])].map(asPattern);
  const tests = columns.flatMap((column) => patterns.map(() => `LOWER(${column}) LIKE ? ESCAPE '!'`));
  return { sql: `(${tests.join(' OR ')})`, params: columns.flatMap(() => patterns) };
}
