import { computed, signal } from '@preact/signals';
import { hasUnsaved, leave } from './unsaved.js';

/* Routes are in the URL's hash, which browsers do not send to servers or proxies. */

const hash = signal(location.hash);

/** Segments of the path: `#/agents/1/ask` gives `['agents', '1', 'ask']`. */
export const path = computed(() =>
  hash.value
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
);

/** Addresses typed by users may contain malformed escapes. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

addEventListener('hashchange', () => {
  const wanted = location.hash;
  if (wanted === hash.peek() || !hasUnsaved()) {
    hash.value = wanted;
    return;
  }
  history.replaceState(null, '', hash.peek() || '#/');
  leave(() => {
    location.hash = wanted;
  });
});

/** Returns the URL of a page, for `href`. */
export const to = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

export function go(...parts: string[]): void {
  location.hash = to(...parts);
}

/** Replaces the current entry of the history. */
export function replace(...parts: string[]): void {
  history.replaceState(null, '', to(...parts));
  hash.value = location.hash;
}
