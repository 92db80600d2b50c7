import type { Route } from './route.js';

/** The route that a request asks for, with what stands in its path at the places of parameters. */
export interface Found {
  route: Route;
  params: Record<string, string>;
}

interface Entry {
  route: Route;
  /** Between the slashes of its path: what must stand there, or the name of a parameter. */
  parts: readonly { literal: string | null; name: string }[];
}

/**
 * Finds the route of a method and a path below the API's base; null when there is none. Paths are compared as they were sent, letter by letter;
 * a parameter is one part that is not empty, and is decoded. Of several routes that fit, the first one counts.
 */
export function routeTable(routes: readonly Route[]): (method: string, path: string) => Found | null {
  const entries = new Map<string, Entry[]>();
  for (const route of routes) {
    const parts = partsOf(route.path).map((part) =>
      part.startsWith(':') ? { literal: null, name: part.slice(1) } : { literal: part, name: '' },
    );
    const key = `${route.method} ${parts.length}`;
    entries.set(key, [...(entries.get(key) ?? []), { route, parts }]);
  }
  return (method, path) => {
    const sent = partsOf(path);
    const ofLength = entries.get(`${method === 'HEAD' ? 'GET' : method} ${sent.length}`);
    const entry = ofLength?.find(({ parts }) =>
      parts.every(({ literal }, n) => (literal === null ? sent[n] !== '' : literal === sent[n])),
    );
    if (!entry) return null;
    const params: Record<string, string> = {};
    entry.parts.forEach(({ literal, name }, n) => {
      if (literal === null) params[name] = decoded(sent[n] ?? '');
    });
    return { route: entry.route, params };
  };
}

const partsOf = (path: string): string[] => path.split('/');

/** As it was sent where it is not well-formed: it then names nothing that is there. */
function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
