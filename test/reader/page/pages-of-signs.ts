import { type PageKind, page } from './made-page.js';
import { paragraphs, prose, sentence } from './sentences.js';

const mathml = (annotation: string): string =>
  `<math><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>${annotation}</semantics></math>`;

/** Formulas, ruby, soft hyphens and verse. */
export const pagesOfSigns: PageKind[] = [
  {
    name: 'formulas are read from what the page says beside their picture',
    html: page(
      'Square',
      `<main><h1>Square</h1><p>${prose(7000, 3)} The annotation ${mathml('<annotation encoding="application/x-tex">x^{2}</annotation>')} counts.</p>
      <p>Hidden <span><span style="display: none;"><math alttext="{\\displaystyle y^{3}}"><mi>y</mi></math></span><img class="math-fallback" aria-hidden="true" alt="{\\displaystyle y^{3}}" src="y.svg"></span> too. ${sentence(7010)}</p>
      <p>Rendered <span class="katex"><span class="katex-mathml">${mathml('<annotation encoding="application/x-tex">z</annotation>')}</span><span class="katex-html" aria-hidden="true"><span>z</span><span>garbage</span></span></span> once. ${sentence(7011)}</p>
      <p>Picture <img class="latex" alt="a+b" src="a.png"> of it, script <script type="math/tex">c-d</script> of it, signs <math><mfrac><mi>p</mi><mi>q</mi></mfrac></math> of it.</p><p><img alt="A harbour" src="h.jpg">${sentence(7012)}</p></main>`,
    ),
    must: [
      'The annotation $x^{2}$ counts.',
      'Hidden $y^{3}$ too.',
      'Rendered $z$ once.',
      'Picture $a+b$ of it, script $c-d$ of it, signs $p/q$ of it.',
    ],
    mustNot: ['garbage', 'displaystyle', 'A harbour', 'x2'],
  },
  {
    name: 'readings above characters go, soft hyphens too',
    html: page(
      '橋の話',
      `<main><h1>橋の話</h1><p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む。${'工事には三年かかり、多くの人が働きました。'.repeat(6)}</p><p>Donau&shy;dampf&shy;schiff. ${prose(7040, 3)}</p><h3>Ähn&shy;liche Artikel</h3><ul><li><a href="/1">Another</a></li></ul></main>`,
    ),
    must: ['漢字を読む。', 'Donaudampfschiff.'],
    mustNot: ['かんじ', 'Another'],
  },
  {
    name: 'struck text is marked',
    html: page(
      'Rents',
      `<style>.gone { text-decoration: line-through }</style><main><h1>Rents</h1><p>${prose(7041, 3)}</p><p>Day <del><span>€ </span><bdi>18</bdi></del> <ins>€ 12</ins>, week <span class="gone">60</span> 45,
      year <span class="old-price">€ 99</span> € 80, on <s>Monday</s> Thursday.</p><ul><li><del><p>12 May: full</p></del></li><li>19 May</li></ul></main>`,
    ),
    must: [
      'Day ~~€ 18~~ € 12, week ~~60~~ 45, year ~~€ 99~~ € 80, on ~~Monday~~ Thursday.',
      '~~12 May: full~~',
    ],
    mustNot: ['~~19 May'],
  },
  {
    name: 'pictures of pictographs, symbols of fonts, boxes and icons are read',
    html: page(
      'Signs',
      `<main><h1>Signs</h1><p>${prose(7042, 3)}</p><p>Dogs <img class="emoji" alt="✅" src="a.svg">, cats <img alt="❌" src="b.svg">, birds <img alt="3" src="c.svg">.</p>
      <p><font face="Wingdings">ü</font> Tea <span style="font-family: 'Wingdings'">û</span> Milk</p>
      <ul><li><input type="checkbox" checked disabled> Oars</li><li><input type="checkbox" disabled> Vests</li></ul>
      <ul><li><i class="fas fa-check"></i> Breakfast</li><li><i class="fas fa-times-circle"></i> <b>Dinner</b></li></ul>
      <ul><li><i class="fas fa-check"></i> Only</li><li><i class="fas fa-check"></i> bullets</li></ul>
      <ol start="4"><li>left</li><li value="9">right</li></ol><ol reversed><li>second</li><li>first</li></ol>
      <p>It costs <span><span class="sr-only">€ 24.90</span><span aria-hidden="true">€ 24<span>.</span><span>90</span></span></span> today.</p></main>`,
    ),
    must: [
      'Dogs ✅, cats ❌, birds .',
      '✓ Tea ✗ Milk',
      '- ☑ Oars\n- ☐ Vests',
      '- ✓ Breakfast\n- ✗ Dinner',
      '- Only\n- bullets',
      '4. left\n9. right',
      '2. second\n1. first',
      'It costs € 24.90 today.',
    ],
    mustNot: ['ü', 'û'],
  },
  {
    name: 'pictures named for yes or no are read, other pictures are not',
    html: page(
      'Rooms',
      `<main><h1>Rooms</h1><p>${prose(7043, 3)}</p><table><tr><th>Room</th><th>Pets</th></tr>
      ${[
        'yes.png',
        'icon-no.svg',
        'check-green.png',
        'no-image.png',
        'x-ray.jpg',
        'red-cross.svg',
        'close-up.webp',
        'check-in.png',
        'x-large.png',
        'no-2.png',
      ]
        .map((file, n) => `<tr><td>R${n}</td><td><img src="/img/${file}"></td></tr>`)
        .join('')}</table></main>`,
    ),
    must: ['| R0 | ✓ |\n| R1 | ✗ |\n| R2 | ✓ |'],
    mustNot: ['R3 | ✗', 'R4 | ✗', 'R5 | ✗', 'R6 | ✗', 'R7 | ✓', 'R8 | ✗', 'R9 | ✗'],
  },
  {
    name: 'poems and lyrics keep their lines',
    html: page(
      'Two songs',
      `<main><h1>Two songs</h1>${paragraphs(7060, 1)}<pre class="wp-block-verse">The boat is old,\nthe water cold</pre><div class="lyrics">We row all day\nand never stay</div><p>One line<br>another line</p></main>`,
    ),
    must: ['The boat is old,\nthe water cold', 'We row all day\nand never stay', 'One line\nanother line'],
    mustNot: ['```'],
  },
];
