/** What an address leads to. The values are the last parts of the paths below `sources`. */
export const pageKinds = { url: 'Page', sitemap: 'Sitemap', site: 'Whole site' } as const;

export type PageKind = keyof typeof pageKinds;

/** Guesses what an address leads to: a file of XML is a sitemap, an address without a path is a whole site. */
export function guessedKind(address: string): PageKind {
  const path = address
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[?#].*$/, '');
  if (/\.xml(?:\.gz)?$|\/sitemap[^/]*$/i.test(path)) return 'sitemap';
  return /^[^/]+\.[^/]+\/?$/.test(path) ? 'site' : 'url';
}
