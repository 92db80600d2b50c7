import { corpusIsHere, readCorpus } from '../../../test/support/corpus/pages.js';

/** Pages of a site, no two alike. `mixed`: half of them from the development set, where it is here, each with words of its own. */
export function sitePages(count: number, mixed: boolean): Buffer[] {
  const real =
    mixed && corpusIsHere() ? readCorpus().map(({ bytes }) => Buffer.from(bytes).toString('utf8')) : [];
  return Array.from({ length: count }, (_, n) => {
    const source = real[Math.floor(n / 2) % (real.length || 1)];
    return Buffer.from(source !== undefined && n % 2 === 0 ? withOwnWords(source, n) : madePage(n));
  });
}

const words =
  'delivery order parcel return refund warehouse invoice account address customer season market garden river engine signal report winter harbour kitchen letter bridge valley morning'.split(
    ' ',
  );

/** Words that differ from page to page but not from run to run. */
function sentence(seed: number, length: number): string {
  const chosen = Array.from(
    { length },
    (_, at) => words[(seed * 7919 + at * 104_729 + at * at) % words.length],
  );
  return `${chosen.join(' ')} ${seed}.`;
}

const withOwnWords = (html: string, n: number): string =>
  html.replace('</p>', `</p><p>${sentence(n, 20)}</p>`);

function madePage(n: number): string {
  const links = Array.from(
    { length: 20 + (n % 60) },
    (_, at) => `<li class="nav-item"><a href="/page-${at}">${sentence(at, 3)}</a></li>`,
  ).join('');
  const sections = Array.from({ length: 3 + (n % 25) }, (_, at) => {
    const seed = n * 100 + at;
    const body = at % 4 === 3 ? table(seed) : `<p>${sentence(seed, 40)}</p><p>${sentence(seed + 50, 70)}</p>`;
    return `<section><h2>${sentence(seed, 4)}</h2>${body}</section>`;
  }).join('');
  return `<!doctype html><html lang="en"><head><title>Page ${n}: ${sentence(n, 4)}</title><meta name="description" content="${sentence(n, 12)}">
<style>.nav-item{display:inline}</style><script>window.page=${n}</script></head><body><header><nav><ul>${links}</ul></nav></header>
<main><article><h1>${sentence(n, 5)}</h1>${sections}</article></main><aside><h3>Related</h3><ul>${links}</ul></aside>
<footer><p>All rights reserved</p><ul>${links}</ul></footer></body></html>`;
}

function table(seed: number): string {
  const rows = Array.from(
    { length: 8 },
    (_, row) =>
      `<tr><th>${sentence(seed + row, 2)}</th><td>${row * seed}</td><td>${sentence(row, 6)}</td></tr>`,
  );
  return `<table>${rows.join('')}</table>`;
}
