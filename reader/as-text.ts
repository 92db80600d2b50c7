/** Escapes the mark of a line that would be read as a Markdown heading. */
export const asText = (text: string): string =>
  text.includes('#') ? text.replace(/^( {0,3})(?=#{1,6}[ \t])/gm, '$1\\') : text;
