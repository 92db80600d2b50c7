/** Marks text that is struck out, as Markdown does. */
export const withStrike = (isStruck: boolean, text: string): string =>
  isStruck && text.trim() !== '' ? text.replace(/^(\s*)([\s\S]*?)(\s*)$/, '$1~~$2~~$3') : text;

/** Joins struck parts beside each other. Keeps the marks only around numbers, because a struck number no longer holds. */
export const joinStruck = (text: string): string =>
  text
    .replace(/~~(\s*)~~/g, '$1')
    .replace(/~~([^~]*)~~/g, (marked, struck: string) => (/\d/.test(struck) ? marked : struck));
