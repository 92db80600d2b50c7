const SENTENCE = 'The harbour office opens at nine, and whoever brings a boat says so on channel twelve. ';
/** Number of paragraphs: from a line to a long article. */
const LENGTHS = [1, 4, 12, 40, 120];
const SENTENCES = 6;

/** A page of varying length with a menu and a footer, identical for every fetch. */
export function mixedPage(n: number): string {
  const length = LENGTHS[n % LENGTHS.length] as number;
  const paragraphs = Array.from(
    { length },
    (_, p) =>
      `${p % 8 === 0 ? `<h2>Part ${p / 8 + 1} of page ${n}</h2>` : ''}<p>${`Of page ${n}, ${p}. ${SENTENCE}`.repeat(SENTENCES)}</p>`,
  );
  const links = Array.from({ length: 20 }, (_, l) => `<li><a href="/mixed-${l}">Page ${l}</a></li>`);
  return [
    '<!doctype html><html lang="en">',
    `<head><title>Page ${n}</title><meta charset="utf-8"></head>`,
    `<body><nav><ul>${links.join('')}</ul></nav>`,
    `<main><h1>Page ${n}</h1>${paragraphs.join('')}</main>`,
    '<footer>All rights reserved.</footer></body></html>',
  ].join('');
}
