import { plainShifts, withShift } from '../../reader/shifted-text.js';
import { extractFile } from '../../workers/threads/file.thread.js';
import t from '../support/t.js';
import { docx, pptx, row, textOf, wordPart, xlsx } from './file/fixtures.js';
import { contentOf, extractHtml } from './page/extract.js';

/** Texts with `^{…}` and `_{…}` for shifted parts. */
const plain = (line: string): string =>
  plainShifts(
    line
      .replace(/\^\{([^}]*)\}/g, (_, text: string) => withShift('super', text))
      .replace(/_\{([^}]*)\}/g, (_, text: string) => withShift('sub', text)),
  );

t.test('exponents and indices are signs of Unicode, or else marked', async (t) => {
  t.equal(plain('about 10^{9} m^{2} at 4 s^{-1}'), 'about 10⁹ m² at 4 s⁻¹');
  t.equal(plain('CO_{2}, H_{2}SO_{4}, x_{i} and x_{max}'), 'CO₂, H₂SO₄, xᵢ and x_(max)');
  t.equal(plain('2^{n+1}, e^{x}, e^{2x}, A^{T}, 10^{1,5}'), '2ⁿ⁺¹, eˣ, e^(2x), A^(T), 10^(1,5)');
  t.equal(plain('10^{1}^{2} by ^{14}C'), '10¹² by ¹⁴C', 'parts beside each other are one');
});

t.test('raised decimals are decimals of a price', async (t) => {
  t.equal(plain('for 24^{95} € or €24^{95}'), 'for 24,95 € or €24,95');
  t.equal(plain('$7^{50}, CHF 1’249^{90}, 8^{49 €}, 5^{–} €'), '$7.50, CHF 1’249.90, 8,49 €, 5,– €');
  t.equal(plain('24^{.95} € and 24,^{95} €'), '24.95 € and 24,95 €');
  t.equal(plain('built in 1999.^{12} Later'), 'built in 1999.¹² Later');
  t.equal(plain('2^{32} addresses'), '2³² addresses');
});

t.test('ordinals, abbreviations, times, fractions and notes are written as in running text', async (t) => {
  t.equal(plain('the 1^{st}, 3^{e}, M^{me} Roy of Knots^{TM}'), 'the 1st, 3e, Mme Roy of KnotsTM');
  t.equal(plain('8^{00} – 16^{30}, 7^{15} Uhr, 20^{o}C'), '8:00 – 16:30, 7:15 Uhr, 20°C');
  t.equal(plain('von 9^{30} bis 17^{00} Uhr'), 'von 9:30 bis 17:00 Uhr');
  t.equal(plain('open 9^{h}30 to 17^{h}, N^{o} 4'), 'open 9h30 to 17h, Nº 4');
  t.equal(plain('3^{1}/_{2} cups, ^{3}/_{4} of it'), '3 1/2 cups, 3/4 of it');
  t.equal(plain('ropes[^1]^{[^2]} and sails^{*} or oars^{1,2}'), 'ropes[^1][^2] and sails* or oars¹,²');
  t.equal(plain('^{Only small print}'), 'Only small print');
  t.equal(plain('^{4} The fourth note'), '4 The fourth note');
});

t.test('shifted text of a page', async (t) => {
  const html = `<!doctype html><title>T</title><main><h1>Pools</h1><p>A pool holds 10<sup>6</sup> litres
    or 3 km<span style="vertical-align: super; font-size: 8px">3</span>, and H<sub>2</sub>O is wet.</p>
    <p>Entry 12<sup>50</sup> €, or <span class="price">9<span class="price-cents">90</span> <b>€</b></span>,
    or 7<small>40</small> €, or €<b>8</b><sup>20</sup>. Room 5<small>12</small>.</p><div>Depth 4<p>metres</p><sup>2</sup> Note</div>
    <table><tr><th>Pool</th><th>Area (m<sup>2</sup>)</th></tr><tr><td>East</td><td>10<sup>3</sup></td></tr></table></main>`;
  const { text } = contentOf(t, extractHtml(html));
  t.match(text, '10⁶ litres or 3 km³, and H₂O is wet.');
  t.match(text, 'Entry 12,50 €, or 9,90 €, or 7,40 €, or €8,20. Room 512.');
  t.match(text, '2 Note');
  t.match(text, '| Pool | Area (m²) |\n| --- | --- |\n| East | 10³ |');
});

t.test('text that a page shifts by its style', async (t) => {
  const html = `<!doctype html><title>T</title><style>.up, em.hi { color: red; vertical-align: super } .low{vertical-align:sub}</style>
    <main><h1>Pools</h1><p>It holds 10<span class="up">6</span> litres, or 4 km<em class="hi">3</em>, of H<i class="low">2</i>O,
    of 10<span style="position: relative; top: -.4em; font-size: 70%">3</span> or 10<span style="vertical-align: .5em; font-size: 9px">4</span> guests.</p>
    <p>Entry 12<span style="font-size: 9px; vertical-align: top">50</span> €, or
    <span class="p">€<span class="int">9</span><span class="dec">90</span></span>, in room 5<span class="dec">12</span>.</p></main>`;
  const { text } = contentOf(t, extractHtml(html));
  t.match(text, 'It holds 10⁶ litres, or 4 km³, of H₂O, of 10³ or 10⁴ guests.');
  t.match(text, 'Entry 12,50 €, or €9,90, in room 512.');
});

t.test('shifted runs of documents, sheets and slides', async (t) => {
  const read = async (bytes: Uint8Array, fileName: string) => textOf(await extractFile({ bytes, fileName }));
  const run = (text: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const raised = '<w:vertAlign w:val="superscript"/>';
  const styles = wordPart(
    'styles',
    'styles',
    `<w:style w:type="character" w:styleId="Low"><w:rPr><w:vertAlign w:val="subscript"/></w:rPr></w:style>`,
  );
  const body = `<w:p>${run('10')}${run('1', raised)}${run('2', raised)}${run(' of CO')}${run('2', '<w:rStyle w:val="Low"/>')}${run(', 4 m')}${run('3', '<w:position w:val="8"/><w:sz w:val="14"/>')}</w:p>`;
  t.equal(await read(docx(body, [styles]), 'a.docx'), '10¹² of CO₂, 4 m³');

  const rich = (before: string, text: string) =>
    `<r><t>${before}</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>${text}</t></r>`;
  const strings = `<si>${rich('km', '2')}</si><si><t>plain</t></si>`;
  const rows = `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="inlineStr"><is>${rich('10', '3')}</is></c></row>${row(['a'])}`;
  t.equal(await read(xlsx([{ name: 'A', rows }], { strings }), 'a.xlsx'), '## A\n\nkm² | plain | 10³\na');

  const shape = `<p:sp><p:txBody><a:p><a:r><a:rPr baseline="-25000"/><a:t>2</a:t></a:r></a:p><a:p><a:r><a:t>H</a:t></a:r>
    <a:r><a:rPr baseline="-25000"/><a:t>2</a:t></a:r><a:r><a:rPr/><a:t>O, 5 m</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r></a:p></p:txBody></p:sp>`;
  t.equal(await read(pptx([{ shapes: shape }]), 'a.pptx'), '## Slide 1\n\n2\nH₂O, 5 m²');
});
