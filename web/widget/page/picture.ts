import { element } from './dom.js';

/** Returns a URL that the page may show, or null. Browsers block http pictures on https pages. */
export const pictureUrl = (url: string | null): string | null =>
  url !== null && (location.protocol === 'http:' || url.startsWith('https:')) ? url : null;

/** A decorative picture chosen by the maker, replaced if it cannot be loaded. Its server gets no referrer. */
export function picture(url: string | null, replacement: Element): Element {
  const src = pictureUrl(url);
  if (src === null) return replacement;
  const image = element('img', { class: 'picture', alt: '', referrerpolicy: 'no-referrer' });
  image.addEventListener('error', () => image.replaceWith(replacement));
  image.src = src;
  return image;
}
