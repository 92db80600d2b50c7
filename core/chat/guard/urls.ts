import { trimmedForms } from './known-urls.js';
import type { Reading, Step } from './step.js';

/** The start of a URL, or of text that may become one. Markdown renderers also link hosts that start with `www.` */
export const urlStart =
  /^(?:h|ht|htt|https?|f|ft|ftp)(?:$|:$|:\/$)|^(?:w|ww|www)$|^(?:(?:https?|ftp):\/\/|www\.)/i;

/** A URL as Markdown renderers delimit it. */
const extent = /^((?:https?|ftp):\/\/|www\.)([^\s<]*)/i;
/** A URL as people delimit it: up to a bracket, a quote, or a letter of another script. */
const inner = /^[!#-Z^_a-~]*/;

const isHost = (start: string): boolean => !start.includes('/');

/**
 * Reads a URL in running text. Removes the scheme or `www.` of an unknown URL, so that it is not rendered as a
 * link.
 */
export function readUrl({ text, final, out, isKnownUrl }: Reading): Step {
  const found = extent.exec(text);
  if (found === null) {
    if (!final) return 'more';
    out.literal(text);
    return { read: text.length };
  }
  const [whole, start = '', rest = ''] = found;
  if (whole.length === text.length && !final) return 'more';
  if (rest === '' && isHost(start)) {
    out.literal(start);
    return { read: start.length };
  }
  const forms = [...new Set([...trimmedForms(whole), ...trimmedForms(inner.exec(whole)?.[0] ?? '')])];
  const known = forms.find((url) => isKnownUrl(url) || (isHost(start) && isKnownUrl(`https://${url}`)));
  if (known === undefined) return { read: whole.length, again: rest };
  out.url(known);
  return { read: known.length };
}
