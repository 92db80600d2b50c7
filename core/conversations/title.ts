const MAX_CHARACTERS = 80;

/**
 * The title of a conversation: the start of its first user message, white space folded, cut between words
 * where possible. Pure.
 */
export function titleOf(message: string): string {
  const folded = message.trim().replaceAll(/\s+/gu, ' ');
  const characters = [...folded];
  if (characters.length <= MAX_CHARACTERS) return folded;
  const start = characters.slice(0, MAX_CHARACTERS).join('');
  // The cut fell behind a word by itself.
  if (characters[MAX_CHARACTERS] === ' ') return start;
  const blank = start.lastIndexOf(' ');
  return blank > 0 ? start.slice(0, blank) : start;
}
