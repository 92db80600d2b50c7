const MAX_CHARACTERS = 80;

/**
 * Returns the start of the first user message as the title, with collapsed white space, cut between words where
 * possible.
 */
export function titleOf(message: string): string {
  const folded = message.trim().replaceAll(/\s+/gu, ' ');
  const characters = [...folded];
  if (characters.length <= MAX_CHARACTERS) return folded;
  const start = characters.slice(0, MAX_CHARACTERS).join('');
  // The cut is already between two words.
  if (characters[MAX_CHARACTERS] === ' ') return start;
  const blank = start.lastIndexOf(' ');
  return blank > 0 ? start.slice(0, blank) : start;
}
