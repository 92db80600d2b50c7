import { isDomainExpression } from '../knowledge/urls/domain-expression.js';

/*
 * Domain expressions are host sources of CSP, which browsers enforce for the page of the widget (`frame-ancestors`).
 * The server applies the same rules to the origins in visitor tokens.
 */

export type Scheme = 'http' | 'https';

const PARTS = /^(?:(?<scheme>https?):\/\/)?(?<host>[^/:]+)(?::(?<port>\*|\d+))?/;
const DEFAULT_PORTS: Record<Scheme, string> = { http: '80', https: '443' };

/** Returns the expression without its path, because `frame-ancestors` with a path matches no page. Null if invalid. */
export const withoutPath = (expression: string): string | null =>
  isDomainExpression(expression) ? (PARTS.exec(expression.toLowerCase())?.[0] ?? null) : null;

/**
 * Returns whether a page of this origin may embed the widget. `own` is the scheme of the widget's page. It is the default
 * for expressions without a scheme.
 *
 * @see https://www.w3.org/TR/CSP3/#match-url-to-source-expression
 */
export function matchesDomain(expression: string, origin: string, own: Scheme): boolean {
  const source = PARTS.exec(withoutPath(expression) ?? '')?.groups;
  if (!source?.host || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  const scheme = protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return false;
  const allowed = (source.scheme ?? own) as Scheme;
  // A source with http also allows https, on the corresponding port.
  const isUpgrade = allowed === 'http' && scheme === 'https';
  if (allowed !== scheme && !isUpgrade) return false;
  if (!matchesHost(source.host, hostname)) return false;
  const actual = port || DEFAULT_PORTS[scheme];
  if (source.port === '*') return true;
  if (source.port === undefined) return actual === DEFAULT_PORTS[scheme];
  if (isUpgrade) return source.port === DEFAULT_PORTS.http && actual === DEFAULT_PORTS.https;
  return source.port.replace(/^0+/, '') === actual;
}

/** `*.acme.com` does not match `acme.com`. */
const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.')
    ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
    : host === pattern;
