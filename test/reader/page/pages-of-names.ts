import { each, menu, type PageKind, page, teasers } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

/** Misleading class names and ids. */
export const pagesOfNames: PageKind[] = [
  {
    name: 'lines around a text that only repeat what it declares',
    html: page(
      'Strike at the rope works | Daily',
      `<main><h1>Strike at the rope works</h1><div><p>Economy</p><p>By Ann Lee</p><p>Tuesday, 12 March 2024, 10:15 CET</p><p>Updated 3 hours ago</p></div>${paragraphs(4700, 2)}<p>On 12 March 2024 the doors stayed shut.</p><ul><li>Economy</li><li>12 March 2024</li></ul>${paragraphs(4710, 2)}<p>Published 3 years before, a book said so.</p><p>Published: March 12, 2024</p><p>2024-03-13</p><p>(Daily Press)</p><p>Reporting by Bo Berg; editing by Cy Carr</p></main>`,
      '<meta property="article:published_time" content="2024-03-12T09:15:00Z"><meta property="article:modified_time" content="2024-03-13"><meta property="article:section" content="Economy"><script type="application/ld+json">{"@type":"NewsArticle","author":{"name":"Ann Lee"},"publisher":{"name":"Daily Press"}}</script>',
    ),
    must: [
      sentence(4700),
      sentence(4717),
      'On 12 March 2024 the doors',
      '- Economy',
      '- 12 March 2024',
      'Published 3 years before, a book said so.',
    ],
    mustNot: [
      '\nEconomy',
      'By Ann Lee',
      'Tuesday',
      'hours ago',
      'Published: March',
      '2024-03-13',
      'Daily Press',
      'Bo Berg',
    ],
  },
  {
    name: 'the day of an event is what its page is about',
    html: page(
      'Concert of the boatmen',
      `<main><h1>Concert of the boatmen</h1><p>12 March 2024, 20:00</p><p>By the old harbour</p>${paragraphs(4720, 3)}</main>`,
      '<meta property="article:published_time" content="2024-01-02">',
    ),
    must: ['12 March 2024, 20:00', 'By the old harbour'],
    mustNot: [],
  },

  {
    name: 'code in a container with a clipboard button',
    html: page(
      'Set up',
      `<nav>${menu}</nav><main><h1>Set up</h1><p>${prose(4000, 3)}</p>
      <div class="clipboard-container"><pre><code class="language-sh">npm run setup</code></pre><button class="clipboard-copy">Copy</button></div>
      <p>${prose(4004, 3)}</p>
      <div class="snippet-clipboard-content"><pre>first line\nsecond line</pre><div class="clipboard-note"><span>Copied!</span></div></div>
      <p>${prose(4008, 3)}</p><pre class="has-copy"><span class="copy-code-wrap"><code>third piece</code></span><pre class="copy-code">Copy as text</pre></pre></main>`,
    ),
    must: ['npm run setup', 'first line\nsecond line', 'third piece', sentence(4009)],
    mustNot: ['Copied!', 'Copy\n', 'Copy as text'],
  },
  {
    name: 'an article that is promoted, on a page of much else',
    html: page(
      'The new ferry',
      `<div class="frame"><nav>${menu}</nav><article class="node node-promoted promoted"><h2>The new ferry</h2><div class="text">${paragraphs(4020, 4)}</div></article>
      <div class="stream">${each(10, (i) => `<div class="entry-short"><h3><a href="/${i}">Other piece ${i}</a></h3><p>${prose(4040 + i * 4, 3)} <a href="/${i}">all of it</a></p></div>`)}</div></div>`,
    ),
    must: ['The new ferry', sentence(4020), sentence(4035)],
    mustNot: ['Start page'],
  },
  {
    name: 'a small promoted box beside an article goes',
    html: page(
      'The old ferry',
      `<article><h1>The old ferry</h1>${paragraphs(4070, 4)}<div class="promoted"><p>${sentence(4090)}</p><a href="/buy">Order here</a></div>${paragraphs(4092, 2)}</article>`,
    ),
    must: [sentence(4070), sentence(4099)],
    mustNot: [sentence(4090)],
  },
  {
    name: 'a recipe in a part for printing',
    html: page(
      'Plum cake',
      `<div class="content"><h1>Plum cake</h1>${paragraphs(4100, 3)}<div class="recipe print"><h2>Plum cake, the recipe</h2>
      <ul class="print-ingredients"><li>500 g plums</li><li>200 g flour</li><li>80 g butter</li></ul><ol><li>Stir the flour into the butter until it is smooth.</li><li>Bake it for forty minutes.</li></ol></div>
      <div class="print"><a href="?print=1">Print this recipe</a></div></div>`,
    ),
    must: ['500 g plums', '80 g butter', 'Stir the flour', 'forty minutes'],
    mustNot: ['Print this recipe'],
  },
  {
    name: 'facts under a name of meta data',
    html: page(
      'Walk along the dike',
      `<main><h1>Walk along the dike</h1><div class="entry-meta">Posted on 3 March by <a href="/ann">Ann</a></div>
      <ul class="recipe-meta"><li>Prep time: 20 minutes</li><li>Serves: 4 people</li></ul><dl class="event-meta"><dt>Where</dt><dd>At the north gate</dd><dt>When</dt><dd>Sundays at ten</dd></dl>
      <div class="product-meta"><span>Weight: 9 kg</span></div>${paragraphs(4130, 4)}</main>`,
    ),
    must: [
      'Prep time: 20 minutes',
      'Serves: 4 people',
      'At the north gate',
      'Sundays at ten',
      'Weight: 9 kg',
    ],
    mustNot: ['Posted on 3 March'],
  },
  {
    name: 'an opinion piece, which its paper calls a comment',
    html: page(
      'Why the bridge must wait',
      `<nav>${menu}</nav><div class="page tone-comment"><div class="article comment"><h2>Why the bridge must wait</h2>${paragraphs(4160, 4)}</div>
      <div class="more-pieces">${each(3, (i) => `<div class="piece"><p>${prose(4180 + i * 4, 4)}</p></div>`)}</div></div>`,
    ),
    must: ['Why the bridge must wait', sentence(4160), sentence(4175)],
    mustNot: ['Start page'],
  },
  {
    name: 'a post whose class says that comments are open',
    html: page(
      'Rope walk',
      `<nav>${menu}</nav><div class="post comments-open comment-count-3"><h1>Rope walk</h1>${paragraphs(4200, 3)}</div>
      <div class="about-us"><p>${prose(4220, 5)}</p></div><div class="comments"><p>${prose(4230, 3)}</p><p>${prose(4240, 3)}</p></div>`,
    ),
    must: [sentence(4200), sentence(4211)],
    mustNot: [sentence(4230), 'Start page'],
  },
  {
    name: 'an article in a part that is named after a sidebar layout and a popup',
    html: page(
      'The tide table',
      `<div class="modal-page"><div class="overlay-content sidebar-page"><h2>The tide table</h2>${paragraphs(4260, 3)}</div>
      <div class="feed">${teasers(4280)}${each(4, (i) => `<p>${prose(4290 + i * 4, 4)}</p>`)}</div></div>`,
    ),
    must: [sentence(4260), sentence(4271)],
    mustNot: [],
  },
];
