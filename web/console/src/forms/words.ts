const ABBREVIATIONS = /\b(ai|api|url)\b/g;

/** Returns the label of a field. `bubbleColor` becomes "Bubble colour", because the console uses British spelling. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_.]/g, ' ')
    .toLowerCase()
    .replace('color', 'colour')
    .replace(ABBREVIATIONS, (word) => word.toUpperCase())
    .replace(/^is /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
