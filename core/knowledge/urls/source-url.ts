import { isIPv4 } from 'node:net';
import { limits } from '../../schemas/limits.js';
import { isPublicAddress } from './public-address.js';

export const MAX_SOURCE_URL = limits.url.max;

/** `reason` completes a sentence that starts with the field's name. */
export type SourceUrl = { ok: true; url: string } | { ok: false; reason: string };

const reasons = {
  empty: 'must not be empty',
  tooLong: `must be at most ${MAX_SOURCE_URL} characters`,
  character: 'must not contain control characters or backslashes',
  scheme: 'must be an http or https URL',
  slashes: 'must have exactly two slashes after the scheme',
  unparsable: 'must be a valid URL with a domain',
  credentials: 'must not contain a user name or password',
  address: 'must not point to a private or reserved address',
  internal: 'must not point to a local or internal host',
  singleLabel: 'must have a host name with a domain',
} as const;

/**
 * Suffixes of hosts that are never public: special-use domain names (RFC 6761, 6762, 7686, 8375, 9476), and names
 * that are conventionally internal.
 */
const internalSuffixes = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'corp',
  'home',
  'private',
  'localdomain',
  'home.arpa',
  'onion',
  'test',
  'invalid',
];

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const withoutTrailingDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/**
 * Returns why a host must not be crawled, or null. Expects `hostname` of a parsed WHATWG URL, which canonicalises
 * every notation of an address. Does not resolve names.
 */
export const refusalOfHost = (hostname: string): string | null => {
  if (hostname.startsWith('[')) return isPublicAddress(hostname.slice(1, -1)) ? null : reasons.address;
  const host = withoutTrailingDot(hostname);
  if (isIPv4(host)) return isPublicAddress(host) ? null : reasons.address;
  if (internalSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)))
    return reasons.internal;
  if (host.length > 253 || !host.split('.').every((part) => label.test(part))) return reasons.unparsable;
  return host.includes('.') ? null : reasons.singleLabel;
};

/** Returns why a URL must not be crawled, or null. Applies to submitted URLs and to each redirect. */
export const refusalOfUrl = (url: URL): string | null => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return reasons.scheme;
  if (url.username !== '' || url.password !== '') return reasons.credentials;
  return refusalOfHost(url.hostname);
};

/**
 * Returns the URL that identifies a page, without the fragment and the trailing dot of the host. The WHATWG parser
 * has normalised the rest.
 */
export const normalisedUrl = (parsed: URL): URL => {
  const url = new URL(parsed);
  url.hash = '';
  url.hostname = withoutTrailingDot(url.hostname);
  return url;
};

const hostAndPort = /^[^\s/?#@:]+:\d{1,5}(?:[/?#]|$)/;

/** Adds `https:` if the scheme is missing, or returns why the text is not a web URL. */
const withScheme = (text: string): SourceUrl => {
  if (/^https?:/i.test(text)) {
    const exact = /^https?:\/\/[^/?#]/i.test(text);
    return exact ? { ok: true, url: text } : { ok: false, reason: reasons.slashes };
  }
  if (/^\/\/[^/?#]/.test(text)) return { ok: true, url: `https:${text}` };
  if (/^[/?#]/.test(text)) return { ok: false, reason: reasons.unparsable };
  // "example.com:8080/x" is a host with a port, "mailto:a@b" is not.
  const schemed = /^[a-z][a-z0-9+.-]*:/i.test(text) || /^[^/?#]*:\/\//.test(text);
  if (schemed && !hostAndPort.test(text)) return { ok: false, reason: reasons.scheme };
  return { ok: true, url: `https://${text}` };
};

const refused = (reason: string): SourceUrl => ({ ok: false, reason });

/**
 * Validates and normalises a submitted URL (WHATWG URL Standard, public hosts only). Does not resolve names. Never
 * throws.
 */
export const parseSourceUrl = (input: string): SourceUrl => {
  const text = input.trim();
  if (text === '') return refused(reasons.empty);
  if ([...text.slice(0, 2 * MAX_SOURCE_URL + 1)].length > MAX_SOURCE_URL) return refused(reasons.tooLong);
  // URL parsers disagree about these characters and could see different hosts.
  if (/[\p{Cc}\\]/u.test(text)) return refused(reasons.character);
  const absolute = withScheme(text);
  if (!absolute.ok) return absolute;
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(absolute.url)?.[1] ?? '';
  if (authority.includes('@')) return refused(reasons.credentials);
  if (!URL.canParse(absolute.url)) return refused(reasons.unparsable);
  const parsed = new URL(absolute.url);
  const refusal = refusalOfUrl(parsed);
  if (refusal !== null) return refused(refusal);
  const url = normalisedUrl(parsed).href;
  return url.length > MAX_SOURCE_URL
    ? refused(`${reasons.tooLong} when it is percent-encoded`)
    : { ok: true, url };
};
