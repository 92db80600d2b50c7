import { menu, type PageKind, page } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

/** Boundaries of the content: leads, misleading declarations, unclosed elements. */
export const pagesOfFrames: PageKind[] = [
  {
    name: 'a standfirst that is marked as a heading belongs to the text',
    html: page(
      'The dredger of the bay',
      `<nav>${menu}</nav><div class="head"><h1>The dredger of the bay</h1><h2>${sentence(8000)}</h2></div><div class="article-body"><p>${prose(8010, 4)}</p><h1>A part of it</h1>${paragraphs(8020, 3)}</div>`,
    ),
    must: ['# The dredger of the bay', sentence(8000), sentence(8010), '# A part of it'],
    mustNot: ['Start page'],
  },
  {
    name: 'a declared content that holds next to nothing is not believed',
    html: page(
      'Minutes of the guild',
      `<nav>${menu}</nav><main><h1>Minutes of the guild</h1><p>Spring of the year</p></main><div class="c-2">${paragraphs(8060, 7)}</div>`,
    ),
    must: [sentence(8060), sentence(8087)],
    mustNot: ['Start page'],
  },
  {
    name: 'who made a picture goes, what it shows stays; a line of dates goes',
    html: page(
      'The weir',
      `<article><h1>The weir</h1>${paragraphs(8200, 2)}<figure><img src="w.jpg" alt=""><figcaption><div>The weir before the flood of 1920.</div><div>Foto: Ann Lee / Agency</div></figcaption></figure>${paragraphs(8220, 2)}<p>Zuletzt aktualisiert am 12. März 2019</p></article>`,
    ),
    must: ['The weir before the flood', sentence(8227)],
    mustNot: ['Ann Lee', 'aktualisiert'],
  },
  {
    name: 'a column that is left open does not become the content',
    html: page(
      'The sluice',
      `<div class="wrap"><aside class="left"><ul><li><a href="/1">Side link one</a></li><li><a href="/2">Side link two</a></li><li><a href="/3">Side link three</a></li></ul><div class="text"><h1>The sluice</h1>${paragraphs(8100, 4)}</div></div><footer>Foot of the page</footer>`,
    ),
    must: ['# The sluice', sentence(8100), sentence(8115)],
    mustNot: ['Side link', 'Foot of the page'],
  },
];
