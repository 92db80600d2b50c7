import { MAX_DEPTH } from '../../../reader/page/tree/limit-depth.js';
import type { PageTree } from '../../../reader/page/tree/page-tree.js';
import { parsePage } from '../../../reader/page/tree/parse-page.js';
import { findCaptionTracks } from '../../../workers/threads/page.thread.js';
import t from '../../support/t.js';
import { extractHtml } from './extract.js';
import { sentence } from './sentences.js';

const deep = 100_000;
const many = 10_000;

// Generous for slow machines; none of these takes minutes.
/** The HTML standard reopens unclosed formatting in each paragraph. */
const formattingInAll = (elements: number, paragraphs: number): string =>
  `<div><a>x<a>y</a></a>${Array.from({ length: elements }, (_, i) => `<b id=${i}>`).join('')}</div>${'<p>x'.repeat(paragraphs)}`;

/** Quadratic time would take minutes for each of these. */
const pages: Record<string, string> = {
  'nested div': `${'<div>'.repeat(deep)}<p>${sentence(1)}</p>`,
  'nested inline elements': `${'<b><i>'.repeat(deep)}${sentence(1)}`,
  'nested lists': `${'<ul><li>'.repeat(deep)}${sentence(1)}`,
  'nested tables': `${'<table><tr><td>'.repeat(deep)}${sentence(1)}`,
  'nested paragraphs in list items': `${'<li><p>'.repeat(deep)}${sentence(1)}`,
  'nested links': `${'<a href=x>'.repeat(deep)}${sentence(1)}`,
  'many short chains of tables': `${`${'<table><tr><td>'.repeat(330)}${'</table>'.repeat(330)}`.repeat(400)}<p>${sentence(1)}</p>`,
  'nested tables of a body': `<body>${'<table><tr><td>'.repeat(deep)}`,
  'many cells': `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(40_000)}</table>`,
  'many inline elements with names of clutter': `<p>${'some words of prose '.repeat(1_000)}${'<span class="share">xyz</span>'.repeat(many)}</p>`,
  'many inline elements': '<b>x</b>'.repeat(3 * many),
  'many articles': `<article><p>${sentence(1)}</p></article>`.repeat(many),
  'many posts': Array.from(
    { length: many },
    (_, i) => `<div class="post comment"><b class="share">n${i}</b> <i>2020-01-02</i> ${sentence(1)}</div>`,
  ).join(''),
  'a huge class': `<div class="${'nav-menu '.repeat(300_000)}"><p>${sentence(1)}</p></div>`,
  'a huge style': `<div style="${'display : '.repeat(300_000)}"><p>${sentence(1)}</p></div>`,
  'noscript that never ends': '<noscript '.repeat(200_000),
  'a state of open tags': `<script type="application/json">{"a":"${'<a '.repeat(600_000)}"}</script>`,
  'a state of escapes': `<script>window.__S__=(${'\\\\"'.repeat(600_000)}</script>`,
  'structured data in a gap': `<script type="application/ld+json">${' '.repeat(1_000_000)}x${' '.repeat(1_000_000)}--></script><p>${sentence(1)}</p>`,
  'nested forms and panels': `${'<form><div class="panel open"><input>'.repeat(20_000)}${sentence(1)}`,
  'a huge title': `<title>${' | '.repeat(500_000)}</title><p>${sentence(1)}</p>`,
  'a huge heading': `<h1>${'not found '.repeat(200_000)}</h1>`,
  'a huge gap': `<p>a${' '.repeat(3_000_000)}b</p>`,
  'many breaks': `<p>a${'<br>'.repeat(200_000)}b</p>`,
  'open tags only': '<a '.repeat(500_000),
  'brackets only': '<'.repeat(2_000_000),
  'unclosed scripts': `<p>${sentence(1)}</p>${'<script>'.repeat(100_000)}`,
  'lists in scripts that never end': `<script>${'"captionTracks":['.repeat(100_000)}</script><p>${sentence(1)}</p>`,
  'nested structured data': `<script type="application/ld+json">${'['.repeat(500_000)}</script><p>${sentence(1)}</p>`,
  'a run of back ticks': `<pre>${'`'.repeat(1_000_000)}</pre>`,
  'closing tags in comments': `${'<b><!--</b>-->'.repeat(deep)}<p>${sentence(1)}</p>`,
  'closing tags in attributes': `${'<b a="</b>">'.repeat(deep)}<p>${sentence(1)}</p>`,
  'nesting that only the standard sees': `<a>x<a>y</a></a>${'<datalist><div>x</div>'.repeat(deep)}`,
  'formatting that every paragraph repeats': formattingInAll(300, 6_000),
  'links to places that are links': `${'<a id=x href=#x>'.repeat(many)}${'<sup><a href=#n id=r>1</a></sup><p id=n>x'.repeat(many)}<p>${sentence(1)}</p>`,
  'combining marks': `<p>a${'\u0301'.repeat(500_000)}</p>`,
  'combining marks out of order': `<p>a${'\u0301\u0323'.repeat(250_000)}</p>`,
};

for (const [name, html] of Object.entries(pages)) {
  t.test(`a hostile page takes linear time: ${name}`, async (t) => {
    const result = extractHtml(html);
    t.ok(result.ok || result.failure.code === 'EMPTY_TEXT');
    if (html.includes(sentence(1)) && result.ok) t.ok(result.extraction.text.includes(sentence(1)));
    t.same(
      findCaptionTracks({
        bytes: new TextEncoder().encode(html),
        contentType: 'text/html',
        url: 'https://site.example/',
      }),
      [],
    );
  });
}

function depthOf(tree: PageTree): number {
  const depths = new Int32Array(tree.tag.length);
  for (let row = 1; row < depths.length; row++) depths[row] = (depths[tree.parent[row] ?? 0] ?? 0) + 1;
  return depths.reduce((most, depth) => Math.max(most, depth), 0);
}

t.test('no page becomes much deeper or larger than its source', async (t) => {
  for (const html of [
    '<b><!--</b>-->'.repeat(many),
    '<b a="</b>">'.repeat(many),
    `<a>x<a>y</a></a>${'<rt>'.repeat(many)}`,
    `<a>x<a>y</a></a>${'<datalist><div>x</div>'.repeat(many)}`,
    '<svg><g></svg>'.repeat(many),
  ]) {
    const tree = parsePage(html);
    t.ok(depthOf(tree) <= 2 * MAX_DEPTH + 1, `${html.slice(0, 30)}: ${depthOf(tree)} deep`);
  }
  const repeated = formattingInAll(300, 600);
  t.ok(parsePage(repeated).tag.length < repeated.length, 'formatting is not repeated without end');
});

t.test('an unclosed element contains the rest of the page, also if reading stops early', async (t) => {
  const tree = parsePage(`<p>${sentence(1)}${'<b a="</b>">'.repeat(many)}`);
  t.equal(tree.end[tree.tag.indexOf('p')], tree.tag.length);
});

t.test('a page truncated because of its nesting is marked', async (t) => {
  const paragraphs = [1, 2, 3].map((n) => `<p>${sentence(n)}</p>`).join('');
  t.match(extractHtml(paragraphs + '<b a="</b>">'.repeat(many)), {
    ok: true,
    extraction: { metadata: { truncated: true } },
  });
  t.match(extractHtml(paragraphs + '<b>'.repeat(many)), {
    ok: true,
    extraction: { metadata: { truncated: false } },
  });
});
