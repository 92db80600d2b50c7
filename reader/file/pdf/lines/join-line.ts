const cjk = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Joins a line to the text before it, with a space if it was wrapped. */
export function joinLine(text: string, next: string, wrapped: boolean): string {
  if (/\p{Ll}{2}[-\u00ad\u2010]$/u.test(text) && /^\p{Ll}/u.test(next)) return joinHyphenated(text, next);
  if (!wrapped) return `${text}\n${next}`;
  return cjk.test(text.at(-1) ?? '') && cjk.test(next[0] ?? '') ? text + next : `${text} ${next}`;
}

/** Keeps the hyphen of a compound (`state-of-the-art`) and removes a hyphen at the break of a word. */
function joinHyphenated(text: string, next: string): string {
  const word = /[^\s]*$/.exec(text)?.[0] ?? '';
  const isCompound = word.slice(0, -1).includes('-') || /^\p{Ll}+-/u.test(next);
  return isCompound ? text + next : text.slice(0, -1) + next;
}
