import { menu, type PageKind, page } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

/** Footnotes in the markup and positions of different systems. */
export const pagesOfNotes: PageKind[] = [
  {
    name: 'notes of a Markdown system in a section at the end',
    html: page(
      'On ropes',
      `<main><h1>On ropes</h1><p>${prose(5000, 3)} The oldest rope is Egyptian.<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> It held.<a href="#fn2" class="footnote-ref" id="fnref2"><sup>2</sup></a></p>${paragraphs(5010, 3)}
      <section id="footnotes" class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>Found in 1942 near the river.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li><li id="fn2"><p>So says the <a href="https://museum.example">museum</a>.<a href="#fnref2">↩︎</a></p></li></ol></section></main>`,
    ),
    must: ['Egyptian. [1] It held. [2]', '[1] Found in 1942 near the river.', '[2] So says the museum.'],
    mustNot: ['↩', '1. Found'],
  },
  {
    name: 'notes in the footer of the page',
    html: page(
      'On sails',
      `<nav>${menu}</nav><article><h1>On sails</h1><p>${prose(5040, 3)} Sails were red<sup id="r1"><a href="#note-1">[1]</a></sup> then.</p>${paragraphs(5050, 3)}</article><footer><div class="notes"><p id="note-1"><a href="#r1">[1]</a> Dyed with bark of the oak.</p></div><p>© 2020 The Sailmakers</p></footer>`,
    ),
    must: ['Sails were red [1] then.', '[1] Dyed with bark of the oak.'],
    mustNot: ['Sailmakers', '[1] [1]', 'Start page'],
  },
  {
    name: 'notes in an aside, numbered by a link beside them',
    html: page(
      'On oars',
      `<main><article><h1>On oars</h1><p>${prose(5080, 3)} An oar is a lever<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a>.</p>${paragraphs(5090, 3)}</article>
      <aside><div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>Of the second class, to be exact.</p></div></div></aside></main>`,
    ),
    must: ['An oar is a lever [1].', '[1] Of the second class, to be exact.'],
    mustNot: [],
  },
  {
    name: 'references of an encyclopedia, with several ways back',
    html: page(
      'Keel',
      `<div id="content"><h1>Keel</h1><p>${prose(5120, 3)} A keel is heavy.<sup id="cite_ref-a_1-0" class="reference"><a href="#cite_note-a-1"><span>[</span>1<span>]</span></a></sup><sup id="cite_ref-2" class="reference"><a href="#cite_note-2">[2]</a></sup></p>${paragraphs(5130, 3)}
      <h2>References</h2><div class="reflist"><ol class="references"><li id="cite_note-a-1"><span class="mw-cite-backlink">^ <sup><a href="#cite_ref-a_1-0">a</a></sup></span> <span class="reference-text"><a href="https://one.example">The heavy keel</a>, second edition, page nine.</span></li>
      <li id="cite_note-2"><span class="mw-cite-backlink"><b><a href="#cite_ref-2">^</a></b></span> <span><a href="https://two.example">The light keel</a></span></li></ol></div></div>`,
    ),
    must: [
      'A keel is heavy. [1] [2]',
      '[1] The heavy keel, second edition, page nine.',
      '[2] The light keel',
    ],
    mustNot: ['^', '[1][2]'],
  },
  {
    name: 'notes that a word processor wrote',
    html: page(
      'On masts',
      `<body><h1>On masts</h1><p>${prose(5160, 4)} A mast bends<a name="_ftnref1" href="#_ftn1"><sup>[1]</sup></a> in the wind.</p>${paragraphs(5170, 3)}<hr><p><a name="_ftn1" href="#_ftnref1">[1]</a> As far as the shrouds let it.</p>`,
    ),
    must: ['A mast bends [1] in the wind.', '[1] As far as the shrouds let it.'],
    mustNot: ['bends[1]'],
  },
  {
    name: 'notes that repeat their number, with a way back in words',
    html: page(
      'On decks',
      `<main><h1>On decks</h1><p>${prose(5180, 3)} Decks are pine<sup><a href="#fn:a" id="fnref:a">1</a></sup> or oak<sup><a href="#fn:b" id="fnref:b">2</a></sup>.</p>${paragraphs(5190, 3)}<div class="footnotes"><div id="fn:a">1. Grown in the north. <a href="#fnref:a">Back to text</a></div><div id="fn:b">[2] Grown in the south. <a href="#fnref:b">Return</a></div></div></main>`,
    ),
    must: ['Decks are pine [1] or oak [2].', '[1] Grown in the north.', '[2] Grown in the south.'],
    mustNot: ['Back to', 'Return', '1. Grown', '[2] [2]'],
  },
  {
    name: 'numbers that lead to parts of the page are no notes',
    html: page(
      'Chapters',
      `<main><h1>Chapters</h1><p>${prose(5200, 3)} See part <a href="#part-2">2</a> of it.</p><h2 id="part-2">The second part</h2>${paragraphs(5210, 3)}</main>`,
    ),
    must: ['See part 2 of it.', sentence(5211)],
    mustNot: ['[2]'],
  },
];
