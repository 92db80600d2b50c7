import { limits } from '../schemas/limits.js';

/** Longest name in the DNS, without its trailing dot (RFC 1035). */
const MAX_HOST = 253;

// host-source of CSP Level 3, with http(s) as the only schemes; a path is path-absolute of RFC 3986
// without ";" and ",".
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const pathCharacter = "(?:[a-z0-9._~!$&'()*+=:@-]|%[0-9a-f]{2})";
const hostSource = new RegExp(
  `^(?:https?://)?(?<host>(?:\\*\\.)?${label}(?:\\.${label})*)(?::(?:\\*|(?<port>[0-9]{1,8})))?` +
    `(?:/(?:${pathCharacter}+(?:/${pathCharacter}*)*)?)?$`,
  'i',
);

/**
 * Whether the text says which pages may embed a widget: `[http://|https://]host[:port|:*][/path]`, where the
 * host may begin with `*.`. A lone `*` is refused, since it would let every site in.
 */
export const isDomainExpression = (text: string): boolean => {
  if (text.length > limits.domains.length) return false;
  const groups = hostSource.exec(text)?.groups;
  if (!groups || (groups.host ?? '').length > MAX_HOST) return false;
  const port = groups.port === undefined ? null : Number(groups.port);
  return port === null || (port >= 1 && port <= 65_535);
};
