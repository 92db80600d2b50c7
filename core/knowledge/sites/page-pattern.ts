import { createHash } from 'node:crypto';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const withoutDigits = (text: string): string => text.replace(/\d+/g, '0');

/**
 * Returns a key that is equal for URLs that may be endless: equal but for digits, or with the same names of two or more
 * parameters. Null for other URLs.
 */
export function patternOf(url: string): string | null {
  const { pathname, search, searchParams } = new URL(url);
  const names = [...searchParams.keys()].sort();
  if (names.length >= 2) return hash(`${withoutDigits(pathname)}?${names.join('&')}`);
  const own = pathname + search;
  const pattern = withoutDigits(own);
  return /\d/.test(own) ? hash(pattern) : null;
}

/** Returns a key that is equal for URLs with the same parameters in another order; null with fewer than two. */
export function paramsKeyOf(url: string): string | null {
  const { pathname, searchParams } = new URL(url);
  const pairs = [...searchParams].map((pair) => JSON.stringify(pair)).sort();
  return pairs.length < 2 ? null : hash(`${pathname}?${pairs.join()}`);
}

/** Returns whether a segment of the path occurs a third time. */
export function repeatsPath(url: string): boolean {
  const counts = new Map<string, number>();
  for (const segment of new URL(url).pathname.split('/').filter(Boolean)) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count >= 3) return true;
    counts.set(segment, count);
  }
  return false;
}
