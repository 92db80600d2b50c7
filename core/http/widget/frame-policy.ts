import { isDomainExpression } from '../../knowledge/urls/domain-expression.js';
import { matchesDomain, type Scheme, withoutPath } from '../../visitors/domains.js';
import { cspOf, strictPolicy } from '../pages/web-page.js';
import type { FrameSettings } from './frame-settings.schema.js';

const SELF = "'self'";
/** Maximum number of bytes for expressions in a header. Servers and proxies limit headers to 8 KiB or more. */
const LONGEST = 4096;

interface Embedding {
  /** The agent's domain expressions; null for all pages. */
  domains: readonly string[] | null;
  /** Value of the Referer header, which names the embedding page. */
  referer: string | undefined;
  isWhole: boolean;
  /** Scheme of the frame's page. */
  own: Scheme;
  /** Sources for `connect-src`. */
  connect: string;
}

interface FramePolicy {
  csp: string;
  /** Whether the policy depends on the Referer. */
  byReferer: boolean;
  /** Allows pages with `Cross-Origin-Embedder-Policy: require-corp` to embed the widget. */
  isolation: Record<string, string>;
}

/** Returns the policies for the page of the widget. */
export function framePolicy(
  { bubbleIconUrl, profilePictureUrl }: FrameSettings,
  embedding: Embedding,
): FramePolicy {
  const { 'frame-ancestors': _, ...policy } = strictPolicy;
  const images = [bubbleIconUrl, profilePictureUrl].flatMap((url) => imageOrigin(url) ?? []);
  const ancestors = embedding.isWhole ? null : ancestorsOf(embedding);
  const csp = cspOf({
    ...policy,
    'connect-src': embedding.connect,
    'worker-src': "'none'",
    'img-src': [SELF, ...new Set(images)].join(' '),
    ...(embedding.isWhole ? { 'frame-ancestors': "'none'" } : {}),
    ...(ancestors ? { 'frame-ancestors': [SELF, ...ancestors.expressions].join(' ') } : {}),
  });
  return {
    csp,
    byReferer: ancestors?.byReferer ?? false,
    isolation: embedding.isWhole ? {} : isolationOf(images),
  };
}

/**
 * Returns headers that isolate the page like the page that embeds it. `require-corp` is used only without pictures, because
 * it blocks pictures without a header of their own; `credentialless` does not, but not every browser supports it.
 */
const isolationOf = (images: readonly string[]): Record<string, string> => ({
  'cross-origin-embedder-policy': images.length === 0 ? 'require-corp' : 'credentialless',
  'cross-origin-resource-policy': 'cross-origin',
});

/** Returns the origin if it is a valid host source, because `URL` keeps characters that end a directive, such as `;`. */
function imageOrigin(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { origin } = new URL(url);
  return isDomainExpression(origin) ? origin : null;
}

/** Returns the expressions for the header. If the list is too long, only the expressions that match the Referer. */
function ancestorsOf({
  domains,
  referer,
  own,
}: Embedding): { expressions: string[]; byReferer: boolean } | null {
  if (domains === null) return null;
  const all = [...new Set(domains.flatMap((expression) => withoutPath(expression) ?? []))];
  if (all.join(' ').length <= LONGEST) return { expressions: all, byReferer: false };
  const origin = referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : '';
  const matching = all.filter((expression) => matchesDomain(expression, origin, own));
  return { expressions: firstOf(matching, LONGEST), byReferer: true };
}

/** Returns the first expressions that together fit into `bytes`. */
function firstOf(expressions: readonly string[], bytes: number): string[] {
  let left = bytes;
  return expressions.filter(({ length }) => {
    left -= length + 1;
    return left >= 0;
  });
}
