import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { relationships, row, textOf, xlsx, xlsxEntries, zipOf } from './fixtures.js';

const text = async (...args: Parameters<typeof xlsx>) =>
  textOf(await extractFile({ bytes: xlsx(...args), fileName: 'a.xlsx' }));

t.test('all sheets have their names, hidden ones are marked', async (t) => {
  const shown = await text([
    { name: 'Sales & more', rows: row(['a', 1]) },
    { name: 'Secret', rows: row(['b', 2]), state: 'veryHidden' },
    { name: 'Blank', rows: '' },
  ]);
  t.equal(shown, '## Sales & more\n\na | 1\n\n## Secret (hidden)\n\nb | 2');
});

t.test('every type of cell shows its value', async (t) => {
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="b"><v>1</v></c>
    <c r="D1" t="e"><v>#DIV/0!</v></c><c r="E1" t="str"><f>A1&amp;"x"</f><v>computed</v></c><c r="F1" s="1"><v>42507</v></c>
    <c r="G1" t="d"><v>2021-01-01T00:00:00</v></c><c r="H1" t="inlineStr"><is><r><t>rich </t></r><r><t>text</t></r></is></c></row>`;
  const strings =
    '<si><t>plain_x000A_line</t></si><si><r><t>be</t></r><r><t>st</t></r><rPh><t>reading</t></rPh></si>';
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
  t.equal(
    await text([{ name: 'A', rows }], { strings, styles }),
    '## A\n\nplain line | best | TRUE | #DIV/0! | computed | 2016-05-17 | 2021-01-01 | rich text',
  );
});

t.test('values stay under their columns', async (t) => {
  const rows = '<row><c r="B1"><v>1</v></c><c r="D1"><v>2</v></c></row><row><c r="D2"><v>3</v></c></row>';
  t.equal(await text([{ name: 'A', rows }]), '## A\n\n1 |  | 2\n |  | 3');
});

t.test('a long sheet repeats its header', async (t) => {
  const rows =
    row(['Report']) +
    row(['name', 'price']) +
    Array.from({ length: 120 }, (_, i) => row([`n${i}`, i])).join('');
  const lines = (await text([{ name: 'A', rows }])).split('\n');
  t.equal(lines.filter((line) => line === 'name | price').length, 3);
  t.equal(lines.filter((line) => /^n\d+ \| \d+$/.test(line)).length, 120);
});

t.test('wide rows repeat their header more often, so that each chunk has it', async (t) => {
  const rows =
    row(['#', 'what it is', 'what it costs']) +
    Array.from({ length: 40 }, (_, i) =>
      row([i, `A thing of some length, number ${i}`, 'ten or twelve']),
    ).join('');
  const result = await extractFile({ bytes: xlsx([{ name: 'A', rows }]), fileName: 'a.xlsx' });
  t.ok(result.ok);
  if (!result.ok) return;
  const { text: all, chunks } = result.extraction;
  t.ok(chunks.length > 1);
  for (const { start, end, headings } of chunks) {
    t.match(all.slice(start, end), /^(?:## A\n\n)?\\# \| what it is \| what it costs\n0?/);
    t.same(headings, ['A'], 'a # in a cell is no heading');
  }
});

t.test('a formula without a value shows its source', async (t) => {
  const rows = '<row><c><v>2</v></c><c><f>A1*2</f></c><c><f>A1*3</f><v>6</v></c></row>';
  t.equal(
    textOf(await extractFile({ bytes: xlsx([{ name: 'A', rows }]), fileName: 'a.xlsx' })),
    '## A\n\n2 | =A1*2 | 6',
  );
});

t.test('number formats with conditions, places for digits and words around plain numbers', async (t) => {
  const formats = ['[&gt;100]"big";[&lt;=100]"small "0', '###-####', '000\\-00\\-0000', 'General" kg"'];
  const styles = `<numFmts>${formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellXfs>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')}</cellXfs>`;
  const rows = `<row>${[42, 5551234, 1234567, 3].map((value, i) => `<c s="${i}"><v>${value}</v></c>`).join('')}</row>`;
  const bytes = xlsx([{ name: 'A', rows }], { styles });
  t.equal(
    textOf(await extractFile({ bytes, fileName: 'a.xlsx' })),
    '## A\n\nsmall 42 | 555-1234 | 001-23-4567 | 3 kg',
  );
});

t.test('texts, charts and notes over the cells follow them', async (t) => {
  const xdr = 'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"';
  const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
  const s = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const bytes = zipOf([
    ...xlsxEntries([{ name: 'A', rows: row(['x']) }]),
    relationships('xl/worksheets/sheet1.xml', [
      ['d', 'drawing', '../drawings/d.xml'],
      ['n', 'comments', '../comments.xml'],
    ]),
    {
      name: 'xl/drawings/d.xml',
      text: `<xdr:wsDr ${xdr} ${a}><xdr:sp><xdr:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`,
    },
    {
      name: 'xl/comments.xml',
      text: `<comments ${s}><commentList><comment ref="B4"><text><r><t>See </t></r><r><t>below</t></r></text></comment></commentList></comments>`,
    },
  ]);
  t.equal(
    textOf(await extractFile({ bytes, fileName: 'a.xlsx' })),
    '## A\n\nx\n\nIn a box\n\nNote on B4: See below',
  );
});

t.test('struck cells and runs are marked', async (t) => {
  const styles =
    '<fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs>';
  const rows = `<row><c><v>12</v></c><c s="1"><v>18</v></c><c t="s"><v>0</v></c></row>`;
  const strings = '<si><r><rPr><strike/></rPr><t>60</t></r><r><t> 45</t></r></si>';
  const bytes = xlsx([{ name: 'Rents', rows }], { styles, strings });
  t.match(textOf(await extractFile({ bytes, fileName: 'a.xlsx' })), '12 | ~~18~~ | ~~60~~ 45');
});
