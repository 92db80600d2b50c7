/** A link or a bare URL, which keeps its characters. Nested brackets and parentheses are text. */
const LINK = /\[([^[\]\n]+)\]\(((?:https?:\/\/|mailto:)[^\s()<>]+)\)|https?:\/\/[^\s()<>]+/gi;
const SIGNS = /[\\`*_~[\]<>#|&$]/g;
/** Begins a list, a heading or a rule at the start of a line. */
const LINE_START = /^[ \t]*(?:([-+=])|(\d+)([.)]))/gm;
const HARD_BREAK = '  \n';

const escaped = (text: string): string => text.replace(SIGNS, '\\$&');

const asText = (text: string): string =>
  escaped(text)
    .replace(LINE_START, (_, sign = '', number = '', end = '') => `${number}\\${sign}${end}`)
    .replace(/\n[ \t]+/g, '\n')
    .replace(/(?<!\n)\n(?!\n)/g, HARD_BREAK);

/** Converts the sentence of an agent to Markdown in which only its links have an effect. */
export function ownSentence(text: string): string {
  let markdown = '';
  let from = 0;
  for (const { 0: whole, 1: label, 2: url, index } of text.matchAll(LINK)) {
    const before = asText(text.slice(from, index));
    // An exclamation mark would make an image of the link.
    markdown += label === undefined ? before : before.replace(/!$/, '\\!');
    markdown += label === undefined ? whole : `[${escaped(label)}](${url})`;
    from = index + whole.length;
  }
  return markdown + asText(text.slice(from));
}
