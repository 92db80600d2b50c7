/** Ends of a URL in running text that usually belong to the sentence. */
const trailing = /[?!.,:;*_~'")\]]$/;

const absolute = /(?:https?|ftp):\/\/[^\s<>"`\\]+/gi;
const destinations = /\]\(\s*<?([^\s<>()]+)|\]:\s*<?([^\s<>]+)|(?:href|src)\s*=\s*["']?([^\s"'<>]+)/gi;

/** The URL, and what is left of it without one sign of the sentence after another. */
export function* trimmedForms(url: string): Generator<string> {
  yield url;
  for (let rest = url; trailing.test(rest); ) {
    rest = rest.slice(0, -1);
    yield rest;
  }
}

/** Schemes that do nothing but lead somewhere, and URLs without one. */
const harmless = /^(?:(?:https?|ftp|mailto|tel):|[^:]*(?:[/?#]|$))/i;

const canonical = (url: string): string => (URL.canParse(url) ? new URL(url).href : url);

/**
 * Tells whether exactly this URL stands in one of the texts or is one of the URLs. A longer or shorter one
 * does not count: what is added to a URL carries data out.
 */
export function knownUrls(texts: readonly string[], urls: readonly string[]): (url: string) => boolean {
  const known = new Set<string>();
  const add = (url: string): void => {
    known.add(canonical(url));
  };
  for (const url of urls) add(url);
  for (const text of texts) {
    for (const [found] of text.matchAll(absolute)) for (const form of trimmedForms(found)) add(form);
    for (const [, ...found] of text.matchAll(destinations))
      for (const url of found) if (url !== undefined) add(url);
  }
  return (url) => harmless.test(url) && known.has(canonical(url));
}
