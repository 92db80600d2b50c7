import { decodeEntities } from './entities.js';
import type { NamespaceScope } from './namespaces.js';

/** Attributes of one tag, parsed on demand. */
export interface XmlAttributes {
  /** Returns the attribute with this canonical name, for example `val`, `w:val` or `r:id`. */
  get(name: string): string | undefined;
  namespaces(): Iterable<[string, string]>;
}

export function createAttributes(source: string, scope: NamespaceScope): XmlAttributes {
  let pairs: [string, string][] | undefined;
  const parse = (): [string, string][] => {
    pairs ??= parsePairs(source);
    return pairs;
  };
  return {
    get(name) {
      if (source === '') return undefined;
      for (const [raw, value] of parse()) {
        if (raw === name || (raw.includes(':') && canonicalName(raw, scope) === name))
          return decodeEntities(value);
      }
      return undefined;
    },
    namespaces: () => parse().filter(([raw]) => raw === 'xmlns' || raw.startsWith('xmlns:')),
  };
}

/** Parses blank-separated pairs `name="value"` or `name='value'`. Stops at anything else. */
function parsePairs(source: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at < source.length; ) {
    const equals = source.indexOf('=', at);
    if (equals < 0) break;
    let open = equals + 1;
    while (source.charCodeAt(open) <= 0x20) open++;
    const quote = source[open];
    if (quote !== '"' && quote !== "'") break;
    const close = source.indexOf(quote, open + 1);
    if (close < 0) break;
    pairs.push([source.slice(at, equals).trim(), source.slice(open + 1, close)]);
    at = close + 1;
  }
  return pairs;
}

function canonicalName(raw: string, scope: NamespaceScope): string {
  const colon = raw.indexOf(':');
  return `${scope.get(raw.slice(0, colon)) ?? raw.slice(0, colon)}:${raw.slice(colon + 1)}`;
}
