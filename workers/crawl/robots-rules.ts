/** A robots.txt, and the path to fetch. */
export interface RobotsInput {
  bytes: Uint8Array;
  /** Product token of the crawler. */
  token: string;
  /** Path with query, percent-encoded as in a WHATWG URL. */
  path: string;
}

/** The parts of a robots.txt that apply to the crawler. */
export interface RobotsFacts {
  /** The rules for the crawler, as a robots.txt. */
  rules: string;
  /** Requested time between two fetches, in milliseconds. */
  crawlDelayMs: number | null;
  /** URLs as written. */
  sitemaps: string[];
}

interface Rule {
  allow: boolean;
  pattern: string;
  /** Octets of the pattern. The longest matching pattern decides. */
  length: number;
  /** Parts of the pattern between its `*`. */
  pieces: string[];
  /** Whether the pattern ends with `$`. */
  toTheEnd: boolean;
}

interface Group {
  agents: Set<string>;
  rules: Rule[];
  delaySeconds: number | null;
}

/** Maximum number of sitemaps to return. */
const MAX_SITEMAPS = 100;

const unreserved = /^[A-Za-z0-9._~-]$/;

/** Normalises a path: encodes octets outside ASCII, decodes unreserved octets, and uses upper-case hex digits. */
const normalisePath = (path: string): string =>
  path
    .replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return unreserved.test(character) ? character : octet.toUpperCase();
    });

const ruleOf = (allow: boolean, value: string): Rule => {
  const pattern = normalisePath(value);
  const toTheEnd = pattern.endsWith('$');
  return {
    allow,
    pattern,
    length: pattern.length,
    pieces: (toTheEnd ? pattern.slice(0, -1) : pattern).split('*'),
    toTheEnd,
  };
};

/**
 * Returns whether a rule matches a path. Takes the leftmost match of each part, so the time is linear in both
 * lengths.
 */
const matches = ({ pieces, toTheEnd }: Rule, path: string): boolean => {
  const [head = '', ...rest] = pieces;
  if (!path.startsWith(head)) return false;
  const tail = toTheEnd ? rest.pop() : undefined;
  if (toTheEnd && tail === undefined) return path === head;
  let at = head.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return tail === undefined || (path.length - at >= tail.length && path.endsWith(tail));
};

const fieldsOf = function* (text: string): Generator<[name: string, value: string]> {
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [content = ''] = line.split('#', 1);
    const colon = content.indexOf(':');
    if (colon > 0) yield [content.slice(0, colon).trim().toLowerCase(), content.slice(colon + 1).trim()];
  }
};

const agentOf = (value: string): string =>
  value.startsWith('*') ? '*' : (/^[A-Za-z_-]*/.exec(value)?.[0] ?? '').toLowerCase();

const groupsOf = (text: string): Group[] => {
  const groups: Group[] = [];
  let current: Group | null = null;
  for (const [name, value] of fieldsOf(text)) {
    if (name === 'user-agent') {
      if (!current || current.rules.length > 0) {
        current = { agents: new Set(), rules: [], delaySeconds: null };
        groups.push(current);
      }
      current.agents.add(agentOf(value));
    } else if (current && (name === 'allow' || name === 'disallow')) {
      // An empty pattern matches nothing, but it ends the list of agents.
      current.rules.push(ruleOf(name === 'allow', value));
    } else if (current && name === 'crawl-delay' && /^\d{1,6}(?:\.\d{1,6})?$/.test(value)) {
      current.delaySeconds = Number(value);
    }
  }
  return groups;
};

/** Returns the groups that apply to this product token. */
function groupsFor(text: string, token: string): Group[] {
  const groups = groupsOf(text);
  const own = groups.filter(({ agents }) => agents.has(token.toLowerCase()));
  return own.length > 0 ? own : groups.filter(({ agents }) => agents.has('*'));
}

/** Returns the rules for this product token, the most specific first. */
function rulesFor(text: string, token: string): Rule[] {
  const chosen = groupsFor(text, token);
  // The first match decides, so sort the longest pattern first, and `allow` before an equally long `disallow`.
  return chosen
    .flatMap((group) => group.rules)
    .filter(({ length }) => length > 0)
    .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
}

/**
 * Returns whether a robots.txt (RFC 9309) allows the crawler to fetch a path. Ignores invalid lines and never throws.
 * Runs in a thread, because a hostile file of 500 KiB takes up to half a second.
 */
export function isAllowed({ bytes, token, path }: RobotsInput): boolean {
  if (path === '/robots.txt') return true;
  const normal = normalisePath(path);
  const rules = rulesFor(new TextDecoder().decode(bytes), token);
  return rules.find((rule) => matches(rule, normal))?.allow ?? true;
}

/** Returns the parts of a robots.txt that apply to the crawler. Runs in a thread, like `isAllowed`. */
export function robotsFacts({ bytes, token }: Omit<RobotsInput, 'path'>): RobotsFacts {
  const text = new TextDecoder().decode(bytes);
  const delays = groupsFor(text, token).flatMap(({ delaySeconds }) => delaySeconds ?? []);
  const sitemaps: string[] = [];
  for (const [name, value] of fieldsOf(text)) {
    if (name === 'sitemap' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
  }
  const rules = rulesFor(text, token)
    .map(({ allow, pattern }) => `${allow ? 'Allow' : 'Disallow'}: ${pattern}`)
    .join('\n');
  return {
    rules: rules === '' ? '' : `User-agent: *\n${rules}`,
    crawlDelayMs: delays.length === 0 ? null : Math.max(...delays) * 1000,
    sitemaps,
  };
}
