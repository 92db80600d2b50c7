import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pdfLines, pdfOf, textOf } from './fixtures.js';
import { around, row, twoFonts, word, wrappedRow } from './table-pages.js';

const read = async (...contents: string[]) =>
  textOf(await extractFile({ bytes: twoFonts(contents), fileName: 'a.pdf' }));

t.test('aligned cells become a table between the paragraphs around them', async (t) => {
  const xs = [72, 200, 300, 420];
  const table = [
    row(xs, 680, ['Dienst', 'Dauer', 'Gebühr', 'Hinweis'], 'F2'),
    row(xs, 662, ['Reisepass', '10 Tage', '70,00', 'nur mit Termin']),
    row(xs, 644, ['Ausweis', '15 Tage', '37,00', '']),
    row(xs, 626, ['Meldung', '', '0,00', 'online | im Amt']),
  ].join('\n');
  t.match(
    await read(around(table)),
    /with a second line\.\n\n\| Dienst \| Dauer \| Gebühr \| Hinweis \|\n\| --- \| --- \| --- \| --- \|\n\| Reisepass \| 10 Tage \| 70,00 \| nur mit Termin \|\n\| Ausweis \| 15 Tage \| 37,00 \| {2}\|\n\| Meldung \| {2}\| 0,00 \| online \\\| im Amt \|\n\nThis paragraph is below/,
  );
});

t.test('cells that were drawn line by line stay whole', async (t) => {
  const xs = [72, 180, 360];
  const table = [
    wrappedRow(xs, 680, [['Merkmal'], ['Tarif A'], ['Tarif B']], 'F2'),
    wrappedRow(xs, 662, [
      ['Umfang'],
      ['für kleine Haushalte,', 'die wenig verbrau-', 'chen'],
      ['für Betriebe und', 'große Haushalte'],
    ]),
    wrappedRow(xs, 620, [['Preis im', 'Monat'], ['9,90'], ['14,50']]),
    wrappedRow(xs, 590, [['Frist'], ['zwei Wochen'], ['sechs Wochen']]),
  ].join('\n');
  t.match(
    await read(around(table)),
    /\| Merkmal \| Tarif A \| Tarif B \|\n\| --- \| --- \| --- \|\n\| Umfang \| für kleine Haushalte, die wenig verbrauchen \| für Betriebe und große Haushalte \|\n\| Preis im Monat \| 9,90 \| 14,50 \|\n\| Frist \| zwei Wochen \| sechs Wochen \|\n\n/,
  );
});

t.test('lines of a header are joined', async (t) => {
  const xs = [72, 200, 320, 440];
  const body = [
    row(xs, 640, ['Lyon', '513', '12,4', '28']),
    row(xs, 622, ['Lille', '236', '11,9', '23']),
    row(xs, 604, ['Nantes', '318', '12,1', '25']),
  ];
  const header = [
    row([200, 320, 440], 680, ['Population', 'Température', 'Part du'], 'F2'),
    row(xs, 668, ['Ville', 'en milliers', 'moyenne', 'train'], 'F2'),
  ];
  t.match(
    await read(around([...header, ...body].join('\n'))),
    /\| Ville \| Population en milliers \| Température moyenne \| Part du train \|\n\| --- \| --- \| --- \| --- \|\n\| Lyon \| 513 /,
  );
  const plain = [row([320], 680, ['Température']), row(xs, 668, ['Ville', 'Population', 'moyenne', 'Train'])];
  t.match(
    await read(around([...plain, ...body].join('\n'))),
    /\| Ville \| Population \| Température moyenne \| Train \|\n\| --- \| --- \| --- \| --- \|\n\| Lyon \| 513 /,
  );
});

t.test('a title above several columns belongs to each of them', async (t) => {
  const xs = [72, 200, 270, 370, 440];
  const table = [
    row([227, 397], 680, ['2023', '2024'], 'F2'),
    row(xs, 664, ['Region', 'Q1', 'Q2', 'Q1', 'Q2'], 'F2'),
    row(xs, 646, ['North', '1,200', '900', '1,340', '15']),
    row(xs, 628, ['South', '200', '90', '340', '1,150']),
  ].join('\n');
  t.match(
    await read(around(table)),
    /\| Region \| 2023 Q1 \| 2023 Q2 \| 2024 Q1 \| 2024 Q2 \|\n\| --- \| --- \| --- \| --- \| --- \|\n\| North \| 1,200 \| 900 \| 1,340 \| 15 \|/,
  );
});

t.test('numbers aligned at the right, and rows with empty cells', async (t) => {
  const right = (x: number, text: string) => x - 5.56 * text.length;
  const line = (y: number, name: string, ...values: string[]) =>
    [word(72, y, name), ...values.map((value, i) => word(right(300 + 100 * i, value), y, value))].join('\n');
  const table = [
    line(680, 'Artikel', 'Menge', 'Preis'),
    line(664, 'Schrauben', '12000', '7'),
    line(648, 'Muttern', '7', ''),
    line(632, 'Scheiben', '', '1150'),
    line(616, 'Bolzen', '450', '99'),
  ].join('\n');
  t.match(
    await read(around(table)),
    /\| Artikel \| Menge \| Preis \|\n\| --- \| --- \| --- \|\n\| Schrauben \| 12000 \| 7 \|\n\| Muttern \| 7 \| {2}\|\n\| Scheiben \| {2}\| 1150 \|\n/,
  );
});

t.test('the header of a long table is in each of its chunks', async (t) => {
  const xs = [72, 200, 320];
  const lines = Array.from({ length: 46 }, (_, i) =>
    row(xs, 720 - 14 * i, [`Part ${i + 1}`, `stored in hall ${(i * 7) % 9}`, `${i * 3} pieces left`]),
  );
  const result = await extractFile({
    bytes: twoFonts([[row(xs, 740, ['Part', 'Place', 'Stock'], 'F2'), ...lines].join('\n')]),
    fileName: 'a.pdf',
  });
  t.ok(result.ok && result.extraction.chunks.length > 1);
  if (result.ok)
    for (const { start } of result.extraction.chunks)
      t.match(result.extraction.text.slice(start), /^\| Part \| Place \| Stock \|/);
});

t.test('a table that continues on the next page keeps its header', async (t) => {
  const xs = [72, 200, 320];
  const rows = (from: number, count: number, top: number) =>
    Array.from({ length: count }, (_, i) =>
      row(xs, top - 14 * i, [`Pièce ${from + i}`, `hall ${(i * 7) % 9}`, `${from * 3 + i} pièces`]),
    ).join('\n');
  const head = row(xs, 140, ['Pièce', 'Lieu', 'Stock'], 'F2');
  const text = await read(
    [
      pdfLines(72, 740, ['The list of all parts begins at the end of this page.']),
      head,
      rows(1, 4, 120),
    ].join('\n'),
    rows(5, 6, 740),
    rows(11, 3, 740),
  );
  t.equal(text.match(/\| Pièce \| Lieu \| Stock \|\n\| --- \| --- \| --- \|\n/g)?.length, 3);
  t.match(text, /\| --- \|\n\| Pièce 5 \| hall 0 \| 15 pièces \|/);
});

t.test('columns of a right-to-left table begin at the right', async (t) => {
  const words = ['الخدمة', 'المدة', 'السعر', 'جواز', 'شهر', 'بطاقة', 'يوم'];
  const code = (word: string) => 65 + words.indexOf(word);
  const hex = (text: string) =>
    [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');
  // A glyph of this font is a whole word, whose letters are stored from left to right.
  const mapped = words.map((one) => `<${code(one).toString(16)}> <${hex([...one].reverse().join(''))}>`);
  const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${words.length} beginbfchar\n${mapped.join('\n')}\nendbfchar endcmap end end`;
  const drawn = (y: number, ...cells: string[]) =>
    cells
      .map((cell, i) => {
        const isWord = words.includes(cell);
        return word(400 - 120 * i, y, isWord ? String.fromCharCode(code(cell)) : cell, isWord ? 'F2' : 'F1');
      })
      .join('\n');
  const content = [
    drawn(700, 'الخدمة', 'المدة', 'السعر'),
    drawn(684, 'جواز', 'شهر', '300'),
    drawn(668, 'بطاقة', 'يوم', '120'),
  ].join('\n');
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[5 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Length ${toUnicode.length}>>\nstream\n${toUnicode}\nendstream`,
  ]);
  const text = textOf(await extractFile({ bytes, fileName: 'a.pdf' }));
  t.match(text, /^\| الخدمة \| المدة \| السعر \|\n(?:\| --- \| --- \| --- \|\n)?\| جواز \| شهر \| 300 \|/);
});

t.test('lists, running heads, contents and columns of text are no tables', async (t) => {
  const lists = [
    ...['Go to the office.', 'Take a number.', 'Wait for your turn.', 'Pay the fee.'].map((item, i) =>
      row([72, 100], 700 - 14 * i, [`${i + 1}.`, item]),
    ),
    ...['Une photo', 'Un timbre', 'Un formulaire'].map((item, i) =>
      row([72, 100], 620 - 14 * i, [String.fromCharCode(149), item]),
    ),
  ];
  t.notMatch(await read(lists.join('\n')), /\|/);
  const contents = ['Vorwort', 'Einleitung', 'Verfahren', 'Ergebnisse'].map((title, i) =>
    word(72, 700 - 14 * i, `${title} ${'. '.repeat(40)} ${i + 3}`),
  );
  t.notMatch(await read(contents.join('\n')), /\|/);
  const text = (from: string) =>
    Array.from({ length: 9 }, (_, i) => `${from} line ${i} of a column of running text`);
  const columns = pdfLines(72, 700, text('Left'), 10, 12) + pdfLines(320, 700, text('Right'), 10, 12);
  const shown = await read(columns);
  t.notMatch(shown, /\|/);
  t.ok(shown.indexOf('Left line 8') < shown.indexOf('Right line 0'));
  const head = [
    row([72, 480], 760, ['Annual report', 'Page 4']),
    row([72, 200, 320], 700, ['Item', 'Size', 'Price'], 'F2'),
    row([72, 200, 320], 684, ['Bolt', '12', '3.00']),
    row([72, 200, 320], 668, ['Nut', '14', '2.00']),
  ];
  t.match(await read(head.join('\n')), /^Annual report\tPage 4\n\n\| Item \| Size \| Price \|/);
});

t.test('formulas and scales of drawings are no tables', async (t) => {
  const matrix = [
    row([72, 120, 160], 700, ['(a', 'b', 'c)']),
    row([72, 120, 160], 688, ['(d', 'e', 'f)']),
    row([72, 120, 160], 676, ['(g', 'h', 'i)']),
  ];
  t.notMatch(await read(matrix.join('\n')), /\|/);
  const scale = [3, 2, 1].map((y, i) => row([72, 140, 210], 700 - 20 * i, [`${y}`, `${y * 2}`, `${y * 5}`]));
  t.notMatch(await read(scale.join('\n')), /\|/);
});
