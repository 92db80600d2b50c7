/** What only looks like a heading of Markdown is none: a backslash stands before its mark. */
export const asText = (text: string): string =>
  text.includes('#') ? text.replace(/^( {0,3})(?=#{1,6}[ \t])/gm, '$1\\') : text;
