/** A page that leads on after a longer delay is content, for example a picture of a slide show. */
const MAX_SECONDS = 10;
const MAX_CHARS = 5_000;

/**
 * Seconds, a separator, and a URL in quotes or without them, with or without `url=` (HTML, "shared declarative refresh
 * steps").
 */
const refresh = /^\s*(\d{0,6})[\d.]*(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:(["'])(.*?)(?:\2|$)|(.*))$/is;
const otherScheme = /^(?!https?:)[a-z][a-z\d+.-]*:/i;

/**
 * Returns the URL in the content of a refresh header or element, as it is written there. Returns null without one, if its
 * scheme is not http or https, or if the delay is long.
 */
export function refreshUrl(content: string): string | null {
  const [, seconds = '', , quoted, plain] = refresh.exec(content.slice(0, MAX_CHARS)) ?? [];
  const url = (quoted ?? plain ?? '').trim();
  return url === '' || otherScheme.test(url) || Number(seconds) > MAX_SECONDS ? null : url;
}
