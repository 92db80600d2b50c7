import { repairRightToLeft } from '../../../reader/file/pdf/lines/letters.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pdf, pdfLines, pdfOf, textOf } from './fixtures.js';

const read = async (bytes: Uint8Array) => textOf(await extractFile({ bytes, fileName: 'a.pdf' }));
const word = (x: number, y: number, text: string, more = '') =>
  `BT /F1 12 Tf ${more} ${x} ${y} Td (${text}) Tj ET`;

t.test('words of a line are read from left to right, regardless of the drawing order', async (t) => {
  const content = [
    word(200, 700, 'fourth'),
    word(72, 700, 'first'),
    word(160, 700, 'third'),
    word(110, 700, 'second'),
  ];
  t.equal(await read(pdf([content.join('\n')])), 'first second third fourth');
});

t.test('lines drawn from the bottom up are read from the top down, cells beside each other', async (t) => {
  const lines = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot'];
  const content = [...lines.entries()].reverse().map(([i, line]) => pdfLines(72, 700 - 40 * i, [line]));
  t.equal(await read(pdf([content.join('\n')])), lines.join('\n\n'));
  const columns = [72, 300].flatMap((x) =>
    [...lines.entries()].reverse().map(([i, line]) => word(x, 700 - 40 * i, line)),
  );
  t.equal(await read(pdf([columns.join('\n')])), lines.map((line) => `${line}\t${line}`).join('\n\n'));
});

t.test('text drawn twice to look bold is extracted once', async (t) => {
  const twice = [0, 0.3].map((shift) => word(72 + shift, 700, 'Bold heading')).join('\n');
  t.equal(await read(pdf([`${twice}\n${word(72, 650, 'Bold heading')}`])), 'Bold heading\n\nBold heading');
});

t.test('spaced-out letters become words, single letters stay single', async (t) => {
  t.equal(await read(pdf([word(72, 700, 'ANNUAL', '6 Tc')])), 'ANNUAL');
  t.equal(await read(pdf([word(72, 700, 'A B C D E F')])), 'A B C D E F');
});

t.test('accents drawn before their letters are combined with them, apostrophes are not', async (t) => {
  const octal = (char: string) => `\\${char.charCodeAt(0).toString(8)}`;
  const [dots, acute] = [octal('¨'), octal('´')];
  const line = word(72, 700, `${dots}Uber gr${dots}un ${acute}etude caf${acute}e l${acute}eau geht${acute}s`);
  t.equal(await read(pdf([line])), 'Über grün étude café l´eau geht´s');
});

t.test('values of form fields and typed notes are next to their labels', async (t) => {
  const annotations = [
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)/Rect[150 690 350 710]>>',
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(pin)/Ff 8192/V(1234)/Rect[150 650 350 670]>>',
    '<</Type/Annot/Subtype/Widget/FT/Ch/T(size)/Ff 131072/Opt[[(s)(Small)][(l)(Large)]]/V(l)/Rect[150 610 350 630]>>',
    '<</Type/Annot/Subtype/FreeText/Contents(Stamp.Typed onto the page)/DA(/F1 12 Tf)/Rect[72 500 350 540]>>',
    '<</Type/Annot/Subtype/FreeText/F 2/Contents(Hidden)/DA(/F1 12 Tf)/Rect[72 400 350 440]>>',
    '<</Type/Annot/Subtype/Text/Contents(Sticky remark)/Rect[400 500 420 520]>>',
    '<</Type/Annot/Subtype/Highlight/T(Ada)/Contents(Ask again)/QuadPoints[72 110 90 110 72 98 90 98]/Rect[72 98 90 110]>>',
    '<</Type/Annot/Subtype/Stamp/F 2/Contents(Hidden stamp)/Rect[72 98 90 110]>>',
    '<</Type/Annot/Subtype/Stamp/Name/NotApproved/Rect[72 98 90 110]>>',
    '<</Type/Annot/Subtype/Stamp/AP<</N 17 0 R>>/Rect[72 98 90 110]>>',
    '<</Type/Annot/Subtype/Square/Contents(Void)/Rect[72 98 90 110]>>',
  ];
  const content = [
    pdfLines(72, 695, ['Name:']),
    pdfLines(72, 655, ['Code:']),
    pdfLines(72, 615, ['Size:']),
    pdfLines(72, 100, ['The end']),
  ].join('\n');
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R 8 0 R]>>>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[${annotations.map((_, i) => `${6 + i} 0 R`).join(' ')}]>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ...annotations,
    '<</Type/XObject/Subtype/Form/BBox[0 0 99 20]/Resources<</Font<</F1 3 0 R>>>>/Length 36>>\nstream\nBT /F1 12 Tf 2 2 Td (Paid 4 May) Tj ET\nendstream',
  ]);
  t.equal(
    await read(bytes),
    'Name: Ada Lovelace\n\nCode:\n\nSize: Large\n\nStamp.Typed onto the page\n\nThe end\n\nNote: Sticky remark\n\nComment by Ada: Ask again\n\nStamp: Not Approved\n\nStamp: Paid 4 May\n\nComment: Void',
  );
});

t.test('brackets of right-to-left text face inwards, and the article keeps its order', async (t) => {
  t.equal(repairRightToLeft(')قوس( األول واالسم'), '(قوس) الأول والاسم');
  t.equal(repairRightToLeft('(قوس) الأول'), '(قوس) الأول');
});

t.test('ligatures of lam and alef that were read backwards are repaired', async (t) => {
  for (const [read, written] of [
    ['المشكالت', 'المشكلات'],
    ['والمعامالت الدولية', 'والمعاملات الدولية'],
    ['للرحالت', 'للرحلات'],
    ['حاالت', 'حالات'],
    ['احتماالت', 'احتمالات'],
    ['من خالل اإلدارة', 'من خلال الإدارة'],
    ['خاللها', 'خلالها'],
    ['ال شيء إال هذا', 'لا شيء إلا هذا'],
    ['وال أحد', 'ولا أحد'],
    ['حاال', 'حالا'],
  ] as const)
    t.equal(repairRightToLeft(read), written);
});

t.test('alef and lam in their order stay', async (t) => {
  const sentences = [
    'قالت المعلمة إن المال في خالد والأعمال والسؤال عن العالم',
    'والله العظيم بالليل وعبدالله من الشمال',
    'حالات ومشكلات وعلاقات من خلال الإدارة',
    'عدالت و دخالت در ایالت',
    // both orders are words
    'سالم سلام بال بلا علم كمال كملا',
  ];
  for (const sentence of sentences) t.equal(repairRightToLeft(sentence), sentence);
});

/** A PDF whose font maps the capitals to these letters. They are drawn from left to right. */
function pdfOfLetters(letters: readonly string[], content: string): Uint8Array {
  const hex = (text: string) =>
    [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');
  const mapped = letters.map((letter, i) => `<${(65 + i).toString(16)}> <${hex(letter)}>`).join('\n');
  const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${letters.length} beginbfchar\n${mapped}\nendbfchar endcmap end end`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Length ${toUnicode.length}>>\nstream\n${toUnicode}\nendstream`,
  ]);
}

t.test('a glyph that stands for lam and alef keeps their order', async (t) => {
  const letters = ['ت', 'لا', 'ك', 'ش', 'م', 'ل', 'ا'];
  t.equal(await read(pdfOfLetters(letters, word(72, 700, 'ABCDEFG'))), 'المشكلات');
});

t.test('signs beside the numbers of a right-to-left line stand where they are read', async (t) => {
  const letters = ['ד', 'ע', 'ם', 'ו', 'י'];
  // drawn from right to left, so that each is a piece of its own
  const content = [
    word(146, 700, 'CDE'),
    word(128, 700, '\\(5\\)'),
    word(108.7, 700, 'AB'),
    word(75.4, 700, '17:30'),
    word(72, 700, '.'),
    word(114, 600, 'AB'),
    word(86.1, 600, '250-'),
    word(75.4, 600, '%'),
    word(72, 600, '.'),
  ].join('\n');
  t.equal(await read(pdfOfLetters(letters, content)), 'יום (5) עד 17:30.\n\nעד -250%.');
});

t.test('a joiner between two letters, which has no glyph of its own, is read', async (t) => {
  const letters = ['ا', 'ه', 'ب', 'ا', 'ت', 'ک'];
  const joiner = 'BT /Span<</ActualText<FEFF200C>>>BDC /F1 12 Tf 88 700 Td ( ) Tj EMC ET';
  const content = [word(72, 700, 'AB'), joiner, word(88, 700, 'CDEF')].join('\n');
  t.equal(await read(pdfOfLetters(letters, content)), 'کتاب\u200cها');
});

t.test('a PDF after two kilobytes of other data is read', async (t) => {
  const page = Buffer.from(pdf([word(72, 700, 'Hello')]));
  t.equal(await read(new Uint8Array(Buffer.concat([Buffer.from(`${'x'.repeat(2000)}\n`), page]))), 'Hello');
});

t.test('raised and lowered figures keep their meaning', async (t) => {
  const part = (text: string, size: number, rise: number) => `/F1 ${size} Tf ${rise} Ts (${text}) Tj`;
  const line = (y: number, ...parts: string[]) => `BT 72 ${y} Td ${parts.join(' ')} ET`;
  const content = [
    line(700, part('A litre has 10', 12, 0), part('6', 7, 4), part(' microlitres.', 12, 0)),
    line(680, part('The flat has 64 m', 12, 0), part('2', 7, 4), part(' and a garden.', 12, 0)),
    line(660, part('The air holds more CO', 12, 0), part('2', 8, -2), part(' than before.', 12, 0)),
    line(640, part('The set costs 19', 12, 0), part('99', 7, 4), part(' EUR.', 12, 0)),
    line(620, part('It was said before', 12, 0), part('3', 7, 4), part(' by others.', 12, 0)),
  ];
  t.equal(
    await read(pdf([content.join('\n')])),
    'A litre has 10⁶ microlitres.\nThe flat has 64 m² and a garden. The air holds more CO₂ than before. The set costs 19,99 EUR.\nIt was said before³ by others.',
  );
});
