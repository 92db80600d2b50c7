import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { relationships, row, textOf, xlsx, xlsxEntries, zipOf } from './fixtures.js';

type Sheet = Parameters<typeof xlsx>[0][number];

const read = async (bytes: Uint8Array) =>
  textOf(await extractFile({ bytes, fileName: 'a.xlsx' })).replace('## A\n\n', '');
const text = (rows: string, more: Partial<Sheet> = {}, options: Parameters<typeof xlsx>[1] = {}) =>
  read(xlsx([{ name: 'A', rows, ...more }], options));
const many = (count: number, values: (at: number) => (string | number)[]) =>
  Array.from({ length: count }, (_, at) => row(values(at))).join('');
/** A row with a number and cells in columns. */
const numbered = (number: number, cells: Record<string, string | number>, style = 0) =>
  `<row r="${number}">${Object.entries(cells)
    .map(([column, value]) => `<c r="${column}${number}" s="${style}" t="str"><v>${value}</v></c>`)
    .join('')}</row>`;
const times = (all: string, line: string) => all.split('\n').filter((one) => one === line).length;

t.test('years, months and other series are column names', async (t) => {
  const years = await text(row(['Port', 2022, 2023]) + many(120, (at) => [`P${at}`, 310 + at, 290 + at]));
  t.ok(times(years, 'Port | 2022 | 2023\n--- | --- | ---'.split('\n')[0] ?? '') > 2);
  t.match(years, /^Port \| 2022 \| 2023\n--- \| --- \| ---\nP0 \| 310 \| 290\n/);
  const sizes = await text(row(['Boot', 38, 40, 42]) + many(120, (at) => [`B${at}`, 9, at % 7, 3]));
  t.ok(times(sizes, 'Boot | 38 | 40 | 42') > 2);
  const months = await text(row(['Port', 'Jan 2031', 'Feb 2031']) + many(120, (at) => [`P${at}`, 5, 6]));
  t.ok(times(months, 'Port | Jan 2031 | Feb 2031') > 2);
  const none = await text(many(120, (at) => [`P${at}`, 1000 + at, 2000 + at]));
  t.equal(times(none, 'P0 | 1000 | 2000'), 1, 'values are no names');
});

t.test('a title of several cells above the column names is none of them', async (t) => {
  const all = await text(
    row(['Report', 'harbour']) + row(['Boat', 'Berth', 'Rent']) + many(120, (at) => [`B${at}`, `b${at}`, at]),
  );
  t.equal(times(all, 'Report | harbour'), 1);
  t.ok(times(all, 'Boat | Berth | Rent') > 2);
});

t.test('a second table has its own column names', async (t) => {
  const first = numbered(1, { A: 'Guest', B: 'Cabin' }) + numbered(2, { A: 'Ann', B: 'east' });
  const second = (style = 0) =>
    numbered(5, { A: 'Boat', B: 'Captain' }, style) +
    Array.from({ length: 90 }, (_, at) => numbered(6 + at, { A: `Boat ${at}`, B: 'Joe Smith' })).join('');
  const all = await text(first + second());
  t.match(all, /^Guest \| Cabin\nAnn \| east\n\nBoat \| Captain\nBoat 0 \| Joe Smith\n/);
  t.equal(times(all, 'Guest | Cabin'), 1);
  t.ok(times(all, 'Boat | Captain') > 1);

  const words = (style: number) =>
    text(
      `${first}${numbered(4, { A: 'Ship', B: 'Sailor' }, style)}${numbered(5, { A: 'Gull', B: 'Ida' })}`,
      {},
      { styles: '<fonts><font/><font><b/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs>' },
    );
  t.match(await words(1), '\n\nShip | Sailor\nGull | Ida', 'bold names');
  t.match(await words(0), 'east\nShip | Sailor', 'a row of the same table');
  const titled =
    first +
    numbered(4, { A: 'Crew' }) +
    numbered(5, { A: 'Sailor', B: 'Ship' }) +
    numbered(6, { A: 'Ida', B: 'Gull' });
  t.match(await text(titled), 'Crew\n\nSailor | Ship\nIda | Gull', 'names below a title');
});

t.test('rows that the file declares to be column names are', async (t) => {
  const rows =
    numbered(1, { A: 'a', B: '7' }) +
    Array.from({ length: 120 }, (_, at) => numbered(2 + at, { A: `${at}`, B: '8' })).join('');
  const table = zipOf([
    ...xlsxEntries([{ name: 'A', rows }]),
    relationships('xl/worksheets/sheet1.xml', [['t1', 'table', '../tables/table1.xml']]),
    {
      name: 'xl/tables/table1.xml',
      text: '<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ref="A1:B121"/>',
    },
  ]);
  t.ok(times(await read(table), 'a | 7') > 2);
  t.equal(times(await text(rows), 'a | 7'), 1);
});

t.test('merged cells of a sheet', async (t) => {
  const after = `<mergeCells>${['A1:D1', 'B2:C2', 'A2:A3', 'A4:A5', 'B6:C6', 'D2:D3']
    .map((ref) => `<mergeCell ref="${ref}"/>`)
    .join('')}</mergeCells><pageMargins/>`;
  const rows =
    numbered(1, { A: 'Rents' }) +
    numbered(2, { A: 'Room', B: 'Summer', D: 'Key' }) +
    numbered(3, { B: 'day', C: 'week' }) +
    numbered(4, { A: 'East', B: 3, C: 15, D: 'brass' }) +
    numbered(5, { B: 4, C: 20, D: 'iron' }) +
    numbered(6, { A: 'West', B: 'closed', D: 'none' });
  t.equal(
    await text(rows, { after }),
    [
      'Rents',
      'Room | Summer | Summer | Key',
      'Room | day | week | Key',
      '--- | --- | --- | ---',
      'East | 3 | 15 | brass',
      'East | 4 | 20 | iron',
      'West | closed | closed | none',
    ].join('\n'),
  );
  t.equal(
    await text(row(['a', 'b']), { after: '<mergeCells><mergeCell ref="A1' }),
    'a | b',
    'damage after the rows',
  );
});

t.test('formulas with an empty result are blank, those without a result are shown', async (t) => {
  const rows = `<row>${['<f>IF(A1="","",1)</f><v></v>', '<f>A1</f><v/>', '<f>A1&amp;""</f>']
    .map((cell) => `<c t="str">${cell}</c>`)
    .join('')}<c><v>5</v></c><c><f>SUM(A1:A2)</f></c></row>`;
  t.equal(await text(rows), '5 | =SUM(A1:A2)');
});

t.test('cells and runs in a symbol font show its characters', async (t) => {
  const styles =
    '<fonts><font><name val="Carlito"/></font><font><name val="Wingdings"/></font></fonts><cellXfs><xf/><xf fontId="1"/></cellXfs>';
  const strings =
    '<si><t>ü</t></si><si><r><rPr><rFont val="Wingdings"/></rPr><t>û</t></r><r><rPr><rFont val="Carlito"/></rPr><t> ü</t></r></si>';
  const rows = '<row><c s="1" t="s"><v>0</v></c><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>';
  t.equal(await text(rows, {}, { styles, strings }), '✓ | ü | ✗ ü');
});

t.test('a table whose first column has no name has bars around its rows', async (t) => {
  const rows = numbered(1, { B: 2023, C: 2024 }) + numbered(2, { A: 'Guests', B: 812, C: 904 });
  t.equal(await text(rows), '|  | 2023 | 2024 |\n| --- | --- | --- |\n| Guests | 812 | 904 |');
});
