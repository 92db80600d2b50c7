import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pdfLines, textOf } from './fixtures.js';
import { around, row, twoFonts, withLetters, word } from './table-pages.js';

const read = async (...contents: string[]) =>
  textOf(await extractFile({ bytes: twoFonts(contents), fileName: 'a.pdf' }));

/** A line from one point to another, as programs draw it. */
type Draw = (x: number, y: number, toX: number, toY: number) => string;

const draws: Record<string, Draw> = {
  strokes: (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l S`,
  'thin rectangles': (x, y, toX, toY) => `${x} ${y} ${toX - x || 0.5} ${toY - y || 0.5} re f`,
  'strokes in moved coordinates': (x, y, toX, toY) =>
    `q 0.5 0 0 -0.5 0 792 cm ${2 * x} ${2 * (792 - y)} m ${2 * toX} ${2 * (792 - y)} l ${2 * toX} ${2 * (792 - toY)} l S Q`,
  'filled outlines': (x, y, toX, toY) =>
    `${x} ${y} m ${toX + 0.4} ${y} l ${toX + 0.4} ${toY + 0.4} l ${x} ${toY + 0.4} l h f*`,
};

/** All lines of a grid, one by one. */
const gridOf = (xs: readonly number[], ys: readonly number[], draw: Draw) =>
  [
    ...ys.map((y) => draw(Math.min(...xs), y, Math.max(...xs), y)),
    ...xs.map((x) => draw(x, Math.min(...ys), x, Math.max(...ys))),
  ].join('\n');

/** Borders of each cell by itself. */
const boxes = (
  xs: readonly number[],
  ys: readonly number[],
  box: (x: number, y: number, w: number, h: number) => string,
) =>
  ys
    .slice(1)
    .flatMap((y, r) => xs.slice(1).map((x, c) => box(xs[c] ?? 0, y, x - (xs[c] ?? 0), (ys[r] ?? 0) - y)))
    .join('\n');

const inset = 3;
const xs = [72, 140, 290, 440];
const ys = [690, 670, 634, 598];
const cells = xs.slice(0, 3).map((x) => x + inset);
/** Lines are drawn across the page, so that only drawn lines tell rows of two lines apart. */
const wrapped = [
  row(cells, 678, ['Tarif', 'Umfang', 'Kosten'], 'F2'),
  row(cells, 658, ['Klein', 'für Haushalte bis zu', 'neun Euro, ab Mai']),
  row(cells, 646, ['und Co.', 'drei Personen', 'zehn Euro']),
  row(cells, 622, ['Gross', 'für Betriebe und alle', 'vierzehn Euro oder']),
  row(cells, 610, ['und AG', 'anderen Haushalte', 'nach Absprache']),
].join('\n');
const expected =
  /\| Tarif \| Umfang \| Kosten \|\n\| --- \| --- \| --- \|\n\| Klein und Co\. \| für Haushalte bis zu drei Personen \| neun Euro, ab Mai zehn Euro \|\n\| Gross und AG \| für Betriebe und alle anderen Haushalte \| vierzehn Euro oder nach Absprache \|\n\nThis paragraph is below/;

/** Words in three columns, the first at the right, that fill their cells. */
const tightRows = [
  [
    ['שירות', 'תקופה', 'מחירים'],
    ['דרכון', 'חודש', '300000'],
    ['תעודה', 'שבועיים', '120000'],
  ],
  [
    ['الخدمة', 'المدة', 'السعر'],
    ['جواز', 'شهران', '300000'],
    ['بطاقة', 'يومين', '120000'],
  ],
  [
    ['خدمات', 'مدت', 'هزینه'],
    ['گذرنامه', 'هفته', '300000'],
    ['کارت', 'روزانه', '120000'],
  ],
];

for (const [name, draw] of Object.entries(draws)) {
  t.test(`lines drawn as ${name} divide rows and columns`, async (t) => {
    t.match(await read(around(`${gridOf(xs, ys, draw)}\n${wrapped}`)), expected);
  });
}

t.test('borders of single cells, and one path for all lines', async (t) => {
  const outlined = boxes(xs, ys, (x, y, w, h) => `${x} ${y} ${w} ${h} re S`);
  t.match(await read(around(`${outlined}\n${wrapped}`)), expected);
  const apart = boxes(xs, ys, (x, y, w, h) => `${x + 1} ${y + 1} ${w - 2} ${h - 2} re S`);
  t.match(await read(around(`${apart}\n${wrapped}`)), expected);
  const filled = boxes(
    xs,
    ys,
    (x, y, w, h) =>
      `1 1 1 rg ${x} ${y} ${w} ${h} re f 0 g ${x} ${y} ${w} ${h} re ${x + 1} ${y + 1} ${w - 2} ${h - 2} re f*`,
  );
  t.match(await read(around(`${filled}\n${wrapped}`)), expected);
  const onePath = gridOf(xs, ys, (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l`);
  t.match(await read(around(`${onePath} S\n${wrapped}`)), expected);
});

t.test('lines without the outer frame', async (t) => {
  const inner = [
    ...ys.slice(1, 3).map((y) => `72 ${y} 368 0.5 re f`),
    ...xs.slice(1, 3).map((x) => `${x} 598 0.5 92 re f`),
  ].join('\n');
  t.match(await read(around(`${inner}\n${wrapped}`)), expected);
});

t.test('lines between rows only', async (t) => {
  for (const draw of Object.values(draws)) {
    const levels = ys.map((y) => draw(72, y, 440, y)).join('\n');
    t.match(await read(around(`${levels}\n${wrapped}`)), expected);
  }
});

t.test('lines of the same width above and below columns of text divide no cells', async (t) => {
  const text = (side: string) =>
    Array.from({ length: 4 }, (_, i) => `${side} ${i} is a line of a column of running text`);
  const parts = [700, 640, 580].map((y) =>
    [pdfLines(75, y, text('Left'), 10, 12), pdfLines(320, y, text('Right'), 10, 12)].join('\n'),
  );
  const levels = [715, 655, 595, 535].map((y) => `72 ${y} m 540 ${y} l S`);
  t.notMatch(await read(around([...levels, ...parts].join('\n'))), /\| Left/);
});

t.test('cells over several columns and rows', async (t) => {
  const columns = [72, 160, 230, 300, 370, 440];
  const line = (x: number, y: number, toX: number, toY: number) => `${x} ${y} m ${toX} ${toY} l S`;
  const lines = [
    ...[700, 664, 646, 628, 610].map((y) => line(72, y, 440, y)),
    line(160, 682, 440, 682),
    ...[72, 160, 300, 440].map((x) => line(x, 700, x, 610)),
    ...[230, 370].map((x) => line(x, 682, x, 610)),
  ];
  const at = columns.map((x) => x + inset);
  const texts = [
    row([at[1] ?? 0, at[3] ?? 0], 688, ['2023', '2024'], 'F2'),
    word(at[0] ?? 0, 678, 'Région', 'F2'),
    row(at.slice(1), 670, ['Janvier', 'Juin', 'Janvier', 'Juin'], 'F2'),
    row(at, 652, ['Nord', '12', '14', '11', '19']),
    row(at, 634, ['Sud', '22', '', '21', '29']),
    row(at, 616, ['Ouest', '32', '34', '', '39']),
  ];
  t.match(
    await read(around([...lines, ...texts].join('\n'))),
    /\| Région \| 2023 Janvier \| 2023 Juin \| 2024 Janvier \| 2024 Juin \|\n\| --- \| --- \| --- \| --- \| --- \|\n\| Nord \| 12 \| 14 \| 11 \| 19 \|\n\| Sud \| 22 \| {2}\| 21 \| 29 \|\n\| Ouest \| 32 \| 34 \| {2}\| 39 \|/,
  );
  const tall = [
    ...[700, 680, 640, 600].map((y) => line(72, y, 440, y)),
    ...[660, 620].map((y) => line(160, y, 440, y)),
    ...[72, 160, 300, 440].map((x) => line(x, 700, x, 600)),
  ];
  const grouped = [
    row([75, 163, 303], 686, ['Área', 'Curso', 'Plazas'], 'F2'),
    word(75, 656, 'Idiomas'),
    row([163, 303], 666, ['Inglés inicial', '20']),
    row([163, 303], 646, ['Inglés avanzado', '12']),
    word(75, 616, 'Música'),
    row([163, 303], 626, ['Guitarra', '8']),
    row([163, 303], 606, ['Piano', '6']),
  ];
  t.match(
    await read(around([...tall, ...grouped].join('\n'))),
    /\| Área \| Curso \| Plazas \|\n\| --- \| --- \| --- \|\n\| Idiomas \| Inglés inicial \| 20 \|\n\| Idiomas \| Inglés avanzado \| 12 \|\n\| Música \| Guitarra \| 8 \|\n\| Música \| Piano \| 6 \|/,
  );
});

t.test('rows between which no lines are drawn', async (t) => {
  const names = ['Amsterdam', 'Rotterdam', 'Utrecht', 'Zwolle', 'Breda'];
  const lines = gridOf(
    [72, 160, 300, 440],
    [690, 672, 590],
    (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l S`,
  );
  const texts = [
    row([75, 163, 303], 677, ['Stad', 'Inwoners', 'Provincie'], 'F2'),
    ...names.map((name, i) =>
      row([75, 163, 303], 660 - 15 * i, [name, `${921 - 150 * i} 402`, `Provincie ${i}`]),
    ),
  ];
  t.match(
    await read(around(`${lines}\n${texts.join('\n')}`)),
    /\| Stad \| Inwoners \| Provincie \|\n\| --- \| --- \| --- \|\n\| Amsterdam \| 921 402 \| Provincie 0 \|\n\| Rotterdam \| 771 402 \| Provincie 1 \|\n/,
  );
});

t.test('cells that nearly touch', async (t) => {
  const draw: Draw = (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l S`;
  const lines = gridOf([72, 118, 162, 206], [700, 686, 672, 658], draw);
  const texts = [
    row([74, 120, 164], 689, ['Gemeinde', 'Fläche ha', 'Einwohn.'], 'F2'),
    row([74, 120, 164], 675, ['Altenberg', '145 ha', '38 Haush.']),
    row([74, 120, 164], 661, ['Elster', '95 ha', '6']),
  ];
  t.match(
    await read(around(`${lines}\n${texts.join('\n')}`)),
    /\| Gemeinde \| Fläche ha \| Einwohn\. \|\n(?:\| --- \| --- \| --- \|\n)?\| Altenberg \| 145 ha \| 38 Haush\. \|\n\| Elster \| 95 ha \| 6 \|/,
  );
});

t.test('right-to-left cells that nearly touch', async (t) => {
  const draw: Draw = (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l S`;
  for (const rows of tightRows) {
    const letters = [...new Set(rows.flat().join(''))];
    // glyphs are drawn from left to right, the last letter of a word first
    const drawn = (text: string) =>
      /\d/.test(text)
        ? text
        : [...text]
            .reverse()
            .map((letter) => String.fromCharCode(65 + letters.indexOf(letter)))
            .join('');
    const content = [
      gridOf([72, 116, 160, 204], [700, 686, 672, 658], draw),
      ...rows.flatMap((cells, r) =>
        cells.map((cell, c) => word(162 - 44 * c, 689 - 14 * r, drawn(cell), /\d/.test(cell) ? 'F1' : 'F2')),
      ),
    ].join('\n');
    const text = textOf(
      await extractFile({ bytes: withLetters(letters, around(content)), fileName: 'a.pdf' }),
    );
    for (const cells of rows) t.ok(text.includes(`| ${cells.join(' | ')} |`), cells.join(), { text });
  }
});

t.test('two tables on a page, one without header', async (t) => {
  const draw: Draw = (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l S`;
  const first = [
    gridOf([72, 200, 300], [700, 682, 664, 646], draw),
    row([75, 203], 687, ['Kaffe', 'Pris'], 'F2'),
    row([75, 203], 669, ['Espresso', '28 kr']),
    row([75, 203], 651, ['Latte', '38 kr']),
  ];
  const second = [
    gridOf([72, 200, 400], [620, 602, 584, 566], draw),
    row([75, 203], 607, ['Adresse', 'Havnegade 4']),
    row([75, 203], 589, ['Telefon', 'formiddag og aften']),
    row([75, 203], 571, ['Leder', 'Ane Holm']),
  ];
  const text = await read(around([...first, ...second].join('\n')));
  t.match(text, /\| Kaffe \| Pris \|\n\| --- \| --- \|\n\| Espresso \| 28 kr \|\n\| Latte \| 38 kr \|\n\n/);
  t.match(
    text,
    /\n\n\| Adresse \| Havnegade 4 \|\n\| Telefon \| formiddag og aften \|\n\| Leder \| Ane Holm \|\n\n/,
  );
});

t.test('tables on a page in landscape', async (t) => {
  // Text runs upwards: the page is turned by its reader.
  const turnedWord = (u: number, v: number, text: string, font: string) =>
    `BT /${font} 10 Tf 0 1 -1 0 ${-v} ${u} Tm (${text}) Tj ET`;
  const at = [75, 143, 293];
  const line = (v: number, texts: readonly string[], font = 'F1') =>
    texts.map((text, i) => turnedWord(at[i] ?? 0, v, text, font)).join('\n');
  const lines = gridOf(xs, [-100, -120, -156, -192], (u, v, toU, toV) => `${-v} ${u} m ${-toV} ${toU} l S`);
  const texts = [
    line(-112, ['Linea', 'Percorso', 'Orario'], 'F2'),
    line(-132, ['Dieci', 'dal porto fino al', 'ogni ora dalle sei']),
    line(-144, ['festivo', 'vecchio mercato', 'alle undici']),
    line(-168, ['Venti', 'dalla stazione fino', 'ogni due ore dalle']),
    line(-180, ['notturno', 'alla spiaggia', 'otto alle quattro']),
  ];
  t.match(
    await read([lines, ...texts].join('\n')),
    /\| Linea \| Percorso \| Orario \|\n\| --- \| --- \| --- \|\n\| Dieci festivo \| dal porto fino al vecchio mercato \| ogni ora dalle sei alle undici \|\n/,
  );
});

t.test('frames, layouts, charts and underlined text are no tables', async (t) => {
  const draw: Draw = (x, y, toX, toY) => `${x} ${y} m ${toX} ${toY} l S`;
  const text = (from: string) =>
    Array.from({ length: 9 }, (_, i) => `${from} line ${i} of a column of running text`);
  const columns = [
    pdfLines(75, 700, text('Left'), 10, 12),
    pdfLines(320, 700, text('Right'), 10, 12),
    gridOf([70, 312, 560], [715, 590], draw),
    row([75, 200], 570, ['Signed', 'Date']),
    row([75, 200], 555, ['Place', 'Name']),
  ].join('\n');
  const shown = await read(columns);
  t.notMatch(shown, /\| Left/);
  t.ok(shown.indexOf('Left line 8') < shown.indexOf('Right line 0'));
  const chart = [
    gridOf([100, 200, 300, 400], [700, 650, 600, 550], draw),
    ...[700, 650, 600, 550].map((y, i) => word(80, y - 3, `${30 - 10 * i}`)),
    row([95, 195, 295, 395], 535, ['2021', '2022', '2023', '2024']),
  ].join('\n');
  t.notMatch(await read(chart), /\|/);
  const frame = [
    gridOf([60, 500], [740, 500], draw),
    pdfLines(72, 700, ['A notice in a frame,', 'with a second line.'], 10, 12),
    row([72, 300], 640, ['Room 4', 'Monday']),
    row([72, 300], 560, ['Room 5', 'Friday']),
  ].join('\n');
  t.notMatch(await read(frame), /\| A notice/);
});

t.test('a drawing of many lines costs neither the text nor the aligned cells beside it', async (t) => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `${i % 600} 9 m ${i % 500} ${i % 700} l S`);
  const texts = [
    row([72, 200, 300], 700, ['Bolt', '12', '3.00']),
    row([72, 200, 300], 684, ['Nut', '14', '2.00']),
    row([72, 200, 300], 668, ['Nail', '18', '1.00']),
  ];
  t.match(await read([...texts, ...lines].join('\n')), /^\| Bolt \| 12 \| 3\.00 \|\n\| Nut \|/);
});
