/** Ends of a URL in running text that usually belong to the sentence. */
const trailing = /[?!.,:;*_~'")\]]$/;

/** Maximum number of such signs that are removed: each adds one form to look up. */
const MAX_TRAILING = 8;

const absolute = /(?:(?:https?|ftp):\/\/|(?<![a-z0-9])www\.)[^\s<>"`\\]+/gi;
const destinations = /\]\(\s*<?([^\s<>()]+)|\]:\s*<?([^\s<>]+)|(?:href|src)\s*=\s*["']?([^\s"'<>]+)/gi;

/** The URL, and what is left of it without one sign of the sentence after another. */
export function* trimmedForms(url: string): Generator<string> {
  yield url;
  let rest = url;
  for (let n = 0; n < MAX_TRAILING && trailing.test(rest); n++) {
    rest = rest.slice(0, -1);
    yield rest;
  }
}

/** Schemes that do nothing but lead somewhere, and URLs without one. */
const harmless = /^(?:(?:https?|ftp|mailto|tel):|[^:]*(?:[/?#]|$))/i;

/** More than 253 characters, which no host that resolves has. The time to parse a host grows with its square. */
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

/** Readers of Markdown make a link of a host that begins with `www.`, and add the scheme. */
const withScheme = (url: string): string => (/^www\./i.test(url) ? `http://${url}` : url);

/**
 * Returns a function that checks whether the texts or URLs contain exactly this URL. Longer and shorter URLs do not
 * match, because an added part could carry data out. A bare `www.` counts as http.
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
