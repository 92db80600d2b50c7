import { menu, type PageKind, page } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

/** Links in prose and tables: content or navigation. */
export const pagesOfLinks: PageKind[] = [
  {
    name: 'a list of links inside prose is content, one under a heading of related pieces is not',
    html: page(
      'Museums of rope',
      `<nav>${menu}</nav><article><h1>Museums of rope</h1>${paragraphs(6000, 2)}<p>These houses show how it was done:</p>
      <ul><li><a href="https://a.example">The rope walk of the old harbour</a></li><li><a href="https://b.example">The net makers of the north shore</a></li><li><a href="https://c.example">The house of knots</a></li></ul>
      ${paragraphs(6020, 2)}<p><b>【Related articles】</b></p><ul><li><a href="/1">Why hemp is back again</a></li><li><a href="/2">Ten knots for the kitchen</a></li><li><a href="/3">A rope for a king</a></li></ul></article>`,
    ),
    must: ['- The rope walk of the old harbour', '- The house of knots', sentence(6027)],
    mustNot: ['Related articles', 'Why hemp', 'Start page'],
  },
  {
    name: 'a paragraph in prose that is mostly a link is a teaser',
    html: page(
      'The lock keeper',
      `<article><h1>The lock keeper</h1>${paragraphs(6040, 2)}<p><a href="/x">Ferries of the lower river: why the last of them will be gone before the winter comes</a></p>${paragraphs(6050, 2)}
      <p>[<a href="/y">Read more</a>]</p><blockquote><p><a href="https://src.example">${sentence(6060)}</a></p></blockquote>${paragraphs(6064, 1)}</article>`,
    ),
    must: [sentence(6040), sentence(6057), sentence(6060), sentence(6064)],
    mustNot: ['Ferries of the lower river', 'Read more'],
  },
  {
    name: 'a table of facts keeps all of its values, also those that are links',
    html: page(
      'Port of Lund',
      `<main><h1>Port of Lund</h1><table class="infobox"><tbody><tr><th>Country</th><td><a href="/1">Sweden</a></td></tr><tr><th>Twins</th><td><a href="/2">Rostock</a>, <a href="/3">Gdynia</a>, <a href="/4">Turku</a>, <a href="/5">Pärnu</a></td></tr><tr class="meta"><th>Founded</th><td>1240</td></tr></tbody></table>${paragraphs(6080, 4)}</main>`,
    ),
    must: ['| Country | Sweden |', '| Twins | Rostock, Gdynia, Turku, Pärnu |', '| Founded | 1240 |'],
    mustNot: [],
  },
  {
    name: 'a table whose rows lead to pages keeps more than its head',
    html: page(
      'Ferries',
      `<main><h1>Ferries</h1>${paragraphs(6100, 3)}<table><thead><tr><th>Ship</th><th>Yard</th></tr></thead><tbody><tr><td><a href="/1">Annika</a></td><td><a href="/y1">Lund yard</a></td></tr><tr><td><a href="/2">Berta</a></td><td><a href="/y2">Ystad yard</a></td></tr></tbody></table>${paragraphs(6120, 1)}</main>`,
    ),
    must: ['| Ship | Yard |\n| --- | --- |\n| Annika | Lund yard |\n| Berta | Ystad yard |'],
    mustNot: [],
  },
  {
    name: 'a value of a table stays, whatever the element around it is called',
    html: page(
      'Lake',
      `<main><h1>Lake</h1>${paragraphs(6130, 3)}<table class="infobox"><tr><th>Area</th><td><div class="sidebar-value">33 square miles</div></td></tr><tr><th>Depth</th><td><span class="meta">12 fathoms</span> <span class="edit-link">edit</span></td></tr></table><p># of boats: 12</p></main>`,
    ),
    must: ['| Area | 33 square miles |', '12 fathoms', '\\# of boats'],
    mustNot: [],
  },
  {
    name: 'a wide table names its columns again within what is read at once',
    html: page(
      'Yards',
      `<main><h1>Yards</h1><p>${prose(6150, 3)}</p><table><tr><th>Yard</th><th>What it built</th></tr>${Array.from({ length: 12 }, (_, i) => `<tr><td>${i}</td><td>${prose(6160 + 3 * i, 3)}</td></tr>`).join('')}</table></main>`,
    ),
    must: ['|\n\n| Yard | What it built |\n| --- | --- |\n| 4 |'],
    mustNot: [],
  },
  {
    name: 'a long table names its columns again, a table in a cell and a bar in a text break none',
    html: page(
      'Tides',
      `<main><h1>Tides</h1><p>${prose(6140, 3)}</p><table><tr><th>Day</th><th>Height of the tide</th></tr>${Array.from({ length: 120 }, (_, i) => `<tr><td>${i}</td><td>${i} cm</td></tr>`).join('')}</table>
      <table><tr><th>Kind</th><th>Sizes</th></tr><tr><td>a|b</td><td><table><tr><td>small</td><td>2</td></tr><tr><td>large</td><td>9</td></tr></table></td></tr></table></main>`,
    ),
    must: [
      '| 119 | 119 cm |',
      '|\n\n| Day | Height of the tide |\n| --- | --- |\n| 50 | 50 cm |',
      '| Kind | Sizes |\n| --- | --- |\n| a\\|b | small 2 large 9 |',
    ],
    mustNot: [],
  },
];
