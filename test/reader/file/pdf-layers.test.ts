import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pdfOf, textOf } from './fixtures.js';

const read = async (bytes: Uint8Array) => textOf(await extractFile({ bytes, fileName: 'a.pdf' }));
const word = (y: number, text: string) => `BT /F1 12 Tf 72 ${y} Td (${text}) Tj ET`;
const stream = (content: string, entries = '') =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** A page whose second line is in the layer /L0, and whose third line is in a form. Objects 6 and 7 are layers. */
const layered = (config: string, more: readonly string[] = [], formLayer = '7 0 R') => {
  const content = `${word(700, 'Always')} /OC /L0 BDC ${word(650, 'In a layer')} EMC ${word(600, 'After')} /X0 Do`;
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<<${config}>>>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</X0 8 0 R>>/Properties<</L0 9 0 R>>>>>>',
    stream(content),
    font,
    '<</Type/OCG/Name(One)>>',
    '<</Type/OCG/Name(Two)>>',
    stream(
      word(550, 'In a form'),
      `/Type/XObject/Subtype/Form/BBox[0 0 612 792]/OC ${formLayer}/Resources<</Font<</F1 5 0 R>>>>`,
    ),
    more[0] ?? '<</Type/OCMD/OCGs 6 0 R>>',
  ]);
};

t.test('text in layers that are switched off is left out', async (t) => {
  t.equal(await read(layered('/OFF[6 0 R]')), 'Always\n\nAfter\n\nIn a form');
  t.equal(await read(layered('/OFF[7 0 R]')), 'Always\n\nIn a layer\n\nAfter');
  t.equal(await read(layered('/BaseState/OFF/ON[7 0 R]')), 'Always\n\nAfter\n\nIn a form');
  t.equal(await read(layered('/OFF[]')), 'Always\n\nIn a layer\n\nAfter\n\nIn a form');
});

t.test('a configuration may be spread over objects, and applies the usage of layers', async (t) => {
  const usage = '/AS[<</Event/View/Category[/View]/OCGs[6 0 R]>>]';
  const bytes = Buffer.from(layered(usage)).toString('latin1');
  const asked = bytes.replace('/Name(One)', '/Name(One)/Usage<</View<</ViewState/OFF>>>>');
  t.equal(await read(Buffer.from(asked, 'latin1')), 'Always\n\nAfter\n\nIn a form');
});

t.test('combinations of layers follow their rule', async (t) => {
  const rule = (policy: string) => [`<</Type/OCMD/OCGs[6 0 R 7 0 R]/P/${policy}>>`];
  const read6Off = (policy: string) => read(layered('/OFF[6 0 R]', rule(policy), '7 0 R'));
  for (const [policy, isShown] of [
    ['AnyOn', true],
    ['AllOn', false],
    ['AnyOff', true],
    ['AllOff', false],
  ] as const)
    t.equal((await read6Off(policy)).includes('In a layer'), isShown, policy);
  for (const [expression, isShown] of [
    ['/Not 6 0 R', true],
    ['/And 7 0 R 6 0 R', false],
    ['/Or 6 0 R[/Not[/Not 7 0 R]]', true],
  ] as const) {
    const text = await read(layered('/OFF[6 0 R]', [`<</Type/OCMD/VE[${expression}]>>`]));
    t.equal(text.includes('In a layer'), isShown, expression);
  }
});

t.test('annotations may be in a layer, and a page may hold a combination itself', async (t) => {
  const bytes = Buffer.from(
    layered('/OFF[6 0 R]', [
      '<</Type/Annot/Subtype/FreeText/OC 6 0 R/Rect[9 9 99 30]/DA(/F1 9 Tf)/Contents(Gone)>>',
    ]),
  ).toString('latin1');
  const inline = bytes
    .replace('/L0 9 0 R', '/L0<</Type/OCMD/OCGs[6 0 R]>>')
    .replace('/MediaBox', '/Annots[9 0 R]/MediaBox');
  t.equal(await read(Buffer.from(inline, 'latin1')), 'Always\n\nAfter\n\nIn a form');
});

t.test('keys within a combination are no names of layers', async (t) => {
  const bytes = Buffer.from(layered('/OFF[6 0 R]')).toString('latin1');
  const nested = bytes.replace('/L0 9 0 R', '/L1<</Text(>>)/L0 6 0 R>>/L0 7 0 R');
  t.match(await read(Buffer.from(nested, 'latin1')), 'In a layer');
  const after = bytes.replace('/L0 9 0 R', '/L0 6 0 R/L1<</L0 7 0 R>>');
  t.notMatch(await read(Buffer.from(after, 'latin1')), 'In a layer');
});

t.test('the value of a form field may be a stream', async (t) => {
  const content = word(700, 'Remarks:');
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Annots[6 0 R]/Resources<</Font<</F1 5 0 R>>>>>>',
    stream(content),
    font,
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(remarks)/V 7 0 R/Rect[150 695 350 715]>>',
    stream('Ring twice (please).'),
  ]);
  t.equal(await read(bytes), 'Remarks: Ring twice (please).');
});
