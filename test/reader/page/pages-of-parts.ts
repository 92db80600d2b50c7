import { each, menu, type PageKind, page } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

/** Pages whose content is split into many siblings, and misleading names. One rule each. */
export const pagesOfParts: PageKind[] = [
  {
    name: 'a shop page: text, panels under it and the price between heading and text',
    html: page(
      'Linen apron',
      `<header><nav>${menu}</nav></header><main><h1>Linen apron</h1><div class="price-box">€ 48.00</div><div class="buy"><button>Add to cart</button></div>
      <div class="product-description"><p>${prose(3000, 3)}</p></div><div class="folds"><details><summary>Care of the cloth</summary><p>${sentence(3010)}</p></details></div>
      <section class="more"><h2>Customers also bought</h2><div><a href="/1">A glove of cotton</a></div><div><a href="/2">A towel with stripes</a></div></section></main>`,
    ),
    must: ['# Linen apron', '€ 48.00', sentence(3000), 'Care of the cloth', sentence(3010)],
    mustNot: ['Add to cart', 'A glove of cotton', 'Customers also bought', 'Start page'],
  },
  {
    name: 'sections of an offer, none of which is the text',
    html: page(
      'Books for shops',
      `<div class="top">${menu}</div><div class="hero"><h1>Books for shops</h1></div><div class="intro"><p>${prose(3020, 4)}</p><p>${prose(3024, 4)}</p><p>${prose(3028, 4)}</p></div>
      <div class="tiles">${each(4, (i) => `<div class="tile"><div>Tile ${i} of four</div><div>Short words about part ${i}, no more.</div></div>`)}</div>
      <div class="numbers"><div>Used by 4,000 shops in nine countries of the north</div></div>`,
    ),
    must: [
      sentence(3020),
      sentence(3031),
      'Tile 0 of four',
      'Short words about part 3, no more.',
      '4,000 shops',
    ],
    mustNot: ['Start page'],
  },
  {
    name: 'a thread of which only the first post declares its text',
    html: page(
      'Dead dough?',
      `<div id="outlet"><h1>Dead dough?</h1>${each(4, (i) => `<div class="post-box crawled"><div class="who">baker ${i}</div><div class="said" itemprop="${i === 0 ? 'articleBody' : 'text'}"><p>${prose(3040 + i * 4, 2)}</p></div></div>`)}</div>`,
    ),
    must: [sentence(3040), sentence(3045), sentence(3053)],
    mustNot: [],
  },
  {
    name: 'posts in forms without fields, comments that outweigh the post',
    html: page(
      'Which habit?',
      `<div class="content"><p class="title"><a>Which habit?</a></p><form class="usertext"><div class="md"><p>${prose(3060, 2)}</p></div></form>
      <div class="comments">${each(5, (i) => `<div class="comment"><form class="usertext"><p>${prose(3070 + i * 3, 3)}</p></form></div>`)}</div></div>`,
    ),
    must: [sentence(3060), sentence(3070), sentence(3084)],
    mustNot: [],
  },
  {
    name: 'cards of products whose names are links',
    html: page(
      'Garden chairs',
      `<header><nav>${menu}</nav></header><main><h1>Garden chairs</h1><div class="category-description"><p>${sentence(3100)}</p></div>
      <ul class="grid">${each(8, (i) => `<li class="card"><a href="/p${i}"><h2>Folding chair number ${i}</h2></a><div>€ ${i + 3}9.90</div><button>Quick add</button></li>`)}</ul></main>
      <div class="bottom"><a href="/x">Imprint</a> <a href="/y">Privacy</a> <a href="/z">Returns</a></div>`,
    ),
    must: ['# Garden chairs', sentence(3100), 'Folding chair number 0', 'Folding chair number 7', '€ 59.90'],
    mustNot: ['Quick add', 'Imprint', 'Start page'],
  },
  {
    name: 'colours of code and signatures of functions',
    html: page(
      'load – Tool',
      `<main><h1>load</h1><dl><dt class="sig sig-object">tool.load(path)</dt><dd>${sentence(3120)}</dd></dl><div class="member-signature">public boolean add(E e)</div>
      <p>${prose(3121, 3)}</p><pre><code><span class="token comment"># what it does</span>\nload()</code></pre></main>`,
    ),
    must: ['tool.load(path)', 'public boolean add(E e)', '# what it does\nload()'],
    mustNot: [],
  },
  {
    name: 'sections whose ids are their headings',
    html: page(
      'Web forms',
      `<main><h1>Web forms</h1><section id="cookies"><h2>Cookies</h2><p>${prose(3140, 2)}</p></section><section id="search-forms"><h2>Search forms</h2><p>${prose(3143, 2)}</p></section><section id="text"><h2>Text</h2>${paragraphs(3150, 4)}</section></main>`,
    ),
    must: [sentence(3140), sentence(3143), sentence(3150)],
    mustNot: [],
  },
  {
    name: 'rows of views, dishes of a menu, a box of facts named as a card',
    html: page(
      'The kitchen',
      `<main><h1>The kitchen</h1><p>${prose(3180, 3)}</p><table class="infobox vcard"><tr><th>Built</th><td>1785</td></tr><tr><th>Seats</th><td>40</td></tr></table>
      <div class="menu-section"><p>Soup of roots with bread, butter and salt of the sea, six coins</p></div>${each(2, (i) => `<div class="views-row"><p>${sentence(3190 + i)}</p></div>`)}</main>`,
    ),
    must: ['| Built | 1785 |', 'Soup of roots', sentence(3190), sentence(3191)],
    mustNot: [],
  },
  {
    name: 'an accordion that calls itself a list of tabs, questions that are buttons',
    html: page(
      'Care',
      `<main><h1>Care</h1><p>${prose(3200, 3)}</p><div class="toggles" role="tablist"><div role="tab">Does it hurt at all?</div><div role="tabpanel"><p>${prose(3210, 2)}</p></div></div>
      <div class="entry"><div class="faq__question" role="button" aria-expanded="false">How do I return a parcel?</div><div class="faq__answer hidden" style="display:none"><p>${sentence(3215)}</p></div></div></main>`,
    ),
    must: ['Does it hurt at all?', sentence(3210), 'How do I return a parcel?', sentence(3215)],
    mustNot: [],
  },
  {
    name: 'an aside that holds the page’s title, and a shadow root that is open',
    html: page(
      'Museum history',
      `<div>${menu}</div><aside class="left"><h1>Museum history</h1>${paragraphs(3220, 3)}</aside><x-part><template shadowrootmode="open"><p>${prose(3240, 3)}</p></template></x-part>`,
    ),
    must: ['# Museum history', sentence(3220), sentence(3240)],
    mustNot: ['Start page'],
  },
  {
    name: 'pointers to other pages inside the text',
    html: page(
      'Tram vote',
      `<div class="seite"><h1>Tram vote</h1>${paragraphs(3260, 3)}<div><strong>Lesen Sie auch:</strong> <a href="/q">Warum die alte Brücke gesperrt ist und bleibt</a></div><p>Last edited by carver on Sunday, edited twice</p><h3>Re: Tram vote</h3>${paragraphs(3280, 2)}<p>Was this page helpful?</p></div>`,
    ),
    must: [sentence(3260), sentence(3280)],
    mustNot: ['Lesen Sie auch', 'alte Brücke', 'Last edited', 'Re: Tram', 'helpful'],
  },
  {
    name: 'an article that says it is one does not grow into what stands beside it',
    html: page(
      'The mill',
      `<div class="a"><div class="b"><h1>The mill</h1>${paragraphs(3300, 5)}</div><div class="c"><h4>Another thing</h4><p>${prose(3330, 3)}</p></div></div>`,
      `<script type="application/ld+json">//<![CDATA[\n{"@context":"https://schema.org","@graph":[{"@type":["NewsArticle"],"headline":"The\nmill"}]}\n//]]></script>`,
    ),
    must: [sentence(3300), sentence(3319)],
    mustNot: [sentence(3330)],
  },
];
