import { trimmedForms } from './known-urls.js';
import type { Reading, Step } from './step.js';

/** The beginning of a URL, or what may become one. */
export const urlStart = /^(?:h|ht|htt|https?|f|ft|ftp)(?:$|:$|:\/$)|^(?:https?|ftp):\/\//i;

/** As far as readers of Markdown go. */
const extent = /^((?:https?|ftp):\/\/)([^\s<]*)/i;
/** Where a URL ends for people: before a bracket, a quote, or letters of another script. */
const inner = /^[!#-Z^_a-~]*/;

/** A URL in running text. One that is not known loses its scheme: then it is a word. */
export function readUrl({ text, final, out, isKnownUrl }: Reading): Step {
  const found = extent.exec(text);
  if (found === null) {
    if (!final) return 'more';
    out.literal(text);
    return { read: text.length };
  }
  const [whole, , rest = ''] = found;
  if (whole.length === text.length && !final) return 'more';
  const forms = [...trimmedForms(whole), ...trimmedForms(inner.exec(whole)?.[0] ?? '')];
  const known = forms.find(isKnownUrl);
  if (known === undefined) return { read: whole.length, again: rest };
  out.url(known);
  return { read: known.length };
}
