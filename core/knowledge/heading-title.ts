/**
 * The words of a Markdown heading: without closing marks, bold print, and the name that some dialects put behind it.
 */
export const bareTitle = (heading: string): string =>
  heading
    .trim()
    .replace(/[ \t]*\{[#.:][^{}]*\}$/, '')
    .replace(/[ \t]#+$/, '')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .trim();
