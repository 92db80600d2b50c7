import { element } from './dom.js';

/** Returns the URL if the page may show it, else null. Browsers block http pictures on https pages. */
export const pictureUrl = (url: string | null): string | null =>
  url !== null && (location.protocol === 'http:' || /^(https:|\/)/.test(url)) ? url : null;

/**
 * A decorative picture that the agent's owner has chosen. Replaced if it cannot be loaded. Its server receives no
 * referrer.
 */
export function picture(url: string | null, replacement: Element): Element {
  const src = pictureUrl(url);
  if (src === null) return replacement;
  const image = element('img', { class: 'picture', alt: '', referrerpolicy: 'no-referrer' });
  image.addEventListener('error', () => image.replaceWith(replacement));
  image.src = src;
  return image;
}
