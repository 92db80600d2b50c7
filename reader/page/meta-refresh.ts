import { Parser } from 'htmlparser2';
import { decodeBody } from '../charset/decode-body.js';
import type { PageInput } from '../reading.js';
import { refreshUrl } from '../refresh-url.js';

/** Parts in which browsers follow no redirect. */
const inert = new Set(['noscript', 'template', 'svg', 'math', 'textarea', 'title']);

/** Returns the absolute URL to which a page leads by `<meta http-equiv="refresh">`, or null. */
export function refreshTarget({ bytes, contentType, url }: PageInput): string | null {
  const { text } = decodeBody(bytes, contentType, true);
  let base: string | undefined;
  let target: string | null = null;
  let inertDepth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (inert.has(name)) inertDepth += 1;
      if (inertDepth > 0 || target !== null) return;
      if (name === 'base') base ??= attributes.href;
      if (name === 'meta' && attributes['http-equiv']?.trim().toLowerCase() === 'refresh')
        target = refreshUrl(attributes.content ?? '');
    },
    onclosetag(name) {
      if (inert.has(name)) inertDepth = Math.max(0, inertDepth - 1);
    },
  });
  parser.end(text);
  const from = base !== undefined && URL.canParse(base, url) ? new URL(base, url).href : url;
  return target !== null && URL.canParse(target, from) ? new URL(target, from).href : null;
}
