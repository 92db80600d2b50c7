/** Punctuation after a URL that usually belongs to the sentence. */
const trailing = /[?!.,:;*_~'")\]]$/;

/** Maximum number of characters to strip: each adds a look-up. */
const MAX_TRAILING = 8;

const absolute = /(?:(?:https?|ftp):\/\/|(?<![a-z0-9])www\.)[^\s<>"`\\]+/gi;
const destinations = /\]\(\s*<?([^\s<>()]+)|\]:\s*<?([^\s<>]+)|(?:href|src)\s*=\s*["']?([^\s"'<>]+)/gi;

/** Yields the URL, then the URL with its trailing punctuation stripped one character at a time. */
export function* trimmedForms(url: string): Generator<string> {
  yield url;
  let rest = url;
  for (let n = 0; n < MAX_TRAILING && trailing.test(rest); n++) {
    rest = rest.slice(0, -1);
    yield rest;
  }
}

/** Schemes that only navigate, and URLs without a scheme. */
const harmless = /^(?:(?:https?|ftp|mailto|tel):|[^:]*(?:[/?#]|$))/i;

/** A host of more than 253 characters. It cannot resolve, and parsing it takes quadratic time. */
const longHost = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]*[^/\\?#]{254}/i;

/** Returns the normal form of a valid URL, and any other text unchanged. */
function canonical(url: string): string {
  if (longHost.test(url)) return url;
  try {
    return new URL(url).href;
  } catch {
    return url;
  }
}

/** Markdown renderers turn hosts that start with `www.` into links and add the scheme. */
const withScheme = (url: string): string => (/^www\./i.test(url) ? `http://${url}` : url);

/**
 * Returns a function that checks whether the texts or URLs contain exactly this URL. Longer and shorter URLs do not
 * match, because an added part could leak data. A bare `www.` counts as http.
 */
export function knownUrls(texts: readonly string[], urls: readonly string[]): (url: string) => boolean {
  const known = new Set<string>();
  const add = (url: string): void => {
    known.add(canonical(withScheme(url)));
  };
  for (const url of urls) add(url);
  for (const text of texts) {
    for (const [found] of text.matchAll(absolute)) for (const form of trimmedForms(found)) add(form);
    for (const [, ...found] of text.matchAll(destinations))
      for (const url of found) if (url !== undefined) add(url);
  }
  return (url) => harmless.test(url) && known.has(canonical(withScheme(url)));
}
