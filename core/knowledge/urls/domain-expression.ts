import { limits } from '../../schemas/limits.js';

/** Maximum length of a DNS name without its trailing dot, and of its labels (RFC 1035). */
export const MAX_HOST = 253;
export const MAX_LABEL = 63;

// host-source of CSP Level 3, limited to the schemes http and https; a path is path-absolute of RFC 3986 without
// ";" and ",".
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const pathCharacter = "(?:[a-z0-9._~!$&'()*+=:@-]|%[0-9a-f]{2})";
const hostSource = new RegExp(
  `^(?:https?://)?(?<host>(?:\\*\\.)?${label}(?:\\.${label})*)(?::(?:\\*|(?<port>[0-9]{1,8})))?` +
    `(?:/(?:${pathCharacter}+(?:/${pathCharacter}*)*)?)?$`,
  'i',
);

/**
 * Validates an expression for the pages that may embed a widget: `[http://|https://]host[:port|:*][/path]`, where
 * the host may start with `*.`. A lone `*` is invalid, because it would allow every site.
 */
export const isDomainExpression = (text: string): boolean => {
  if (text.length > limits.domains.length) return false;
  const groups = hostSource.exec(text)?.groups;
  if (!groups || (groups.host ?? '').length > MAX_HOST) return false;
  const port = groups.port === undefined ? null : Number(groups.port);
  return port === null || (port >= 1 && port <= 65_535);
};
