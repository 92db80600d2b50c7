import { parseCookie } from 'undici';

/** Maximum characters of a cookie, and number of cookies of one origin. Browsers have the same limits or higher ones. */
const MAX_CHARS = 4096;
const MAX_COOKIES = 20;

/**
 * Cookies of one fetch. Some sites redirect to the same URL until the client returns a cookie. Each cookie is sent only to
 * the origin that has set it, and is forgotten at the end of the fetch.
 */
export interface Cookies {
  /** Stores the cookies of a response. Returns whether one of them is new. */
  take(origin: string, setCookie: string | string[] | undefined): boolean;
  /** Returns the request header for an origin, if there are cookies. */
  headers(origin: string): { cookie?: string };
}

export function createCookies(): Cookies {
  const byOrigin = new Map<string, Map<string, string>>();
  return {
    take(origin, setCookie = []) {
      const cookies = byOrigin.get(origin) ?? new Map<string, string>();
      byOrigin.set(origin, cookies);
      let isNew = false;
      for (const line of [setCookie].flat()) {
        // undici sends only ASCII.
        const cookie = line.length <= MAX_CHARS && /^[\t\x20-\x7e]+$/.test(line) ? parseCookie(line) : null;
        if (!cookie?.name) continue;
        const { name, value, maxAge, expires } = cookie;
        const isExpired = maxAge === undefined ? Number(expires ?? 1) <= 0 : maxAge <= 0;
        if (isExpired) cookies.delete(name);
        else if (cookies.get(name) !== value && (cookies.has(name) || cookies.size < MAX_COOKIES)) {
          cookies.set(name, value);
          isNew = true;
        }
      }
      return isNew;
    },
    headers(origin) {
      const pairs = [...(byOrigin.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`);
      return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
    },
  };
}
