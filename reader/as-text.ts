/** Escapes a mark at the start of a line that would make it a Markdown heading. */
export const asText = (text: string): string =>
  text.includes('#') ? text.replace(/^( {0,3})(?=#{1,6}[ \t])/gm, '$1\\') : text;
