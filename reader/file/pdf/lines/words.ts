import type { TextLine } from './text-lines.js';

/** The words of a document in lower case, without parts of words that were divided at the end of a line. */
export interface Words {
  has(word: string): boolean;
}

const word = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;

/** Collects the words when they are first asked for. */
export function wordsOf(pages: readonly (readonly TextLine[])[]): Words {
  let words: Set<string> | undefined;
  const collect = () => {
    const found = new Set<string>();
    for (const page of pages) {
      let isDivided = false;
      for (const { text } of page) {
        const start = isDivided ? text.search(/\s|$/) : 0;
        isDivided = /[-\u00ad\u2010]$/.test(text);
        const end = isDivided ? text.search(/\S*$/) : text.length;
        for (const one of text.slice(start, end).toLowerCase().match(word) ?? []) found.add(one);
      }
    }
    return found;
  };
  return {
    has(one) {
      words ??= collect();
      return words.has(one);
    },
  };
}
