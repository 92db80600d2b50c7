/** Strips closing marks, bold markers and the attribute block of some dialects from a Markdown heading. */
export const bareTitle = (heading: string): string =>
  heading
    .trim()
    .replace(/[ \t]*\{[#.:][^{}]*\}$/, '')
    .replace(/[ \t]#+$/, '')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .trim();
