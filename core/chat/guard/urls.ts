import { trimmedForms } from './known-urls.js';
import type { Reading, Step } from './step.js';

/** The beginning of a URL, or of a possible one. Readers of Markdown also make links of hosts that begin with `www.` */
export const urlStart =
  /^(?:h|ht|htt|https?|f|ft|ftp)(?:$|:$|:\/$)|^(?:w|ww|www)$|^(?:(?:https?|ftp):\/\/|www\.)/i;

/** As far as readers of Markdown go. */
const extent = /^((?:https?|ftp):\/\/|www\.)([^\s<]*)/i;
/** Where a URL ends for people: before a bracket, a quote, or letters of another script. */
const inner = /^[!#-Z^_a-~]*/;

const isHost = (start: string): boolean => !start.includes('/');

/** Reads a URL in running text. An unknown URL loses its scheme or its `www.`, so that readers see a plain word. */
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
