import { computed, signal } from '@preact/signals';

/*
 * Pages stand behind the `#`: what a person looks at never reaches a server, a log or a proxy.
 */

const hash = signal(location.hash);

/** Parts of the path: `#/agents/1/ask` gives `['agents', '1', 'ask']`. */
export const path = computed(() =>
  hash.value
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
);

/** What a person has typed may be no escape at all. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The address of a page, for `href`. */
export const to = (...parts: string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

export function go(...parts: string[]): void {
  location.hash = to(...parts);
}

/** Puts another address in the place of this one: going back skips it. */
export function replace(...parts: string[]): void {
  history.replaceState(null, '', to(...parts));
  hash.value = location.hash;
}
