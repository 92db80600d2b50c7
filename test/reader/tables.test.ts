import { tableRows } from '../../core/knowledge/text/table-rows.js';
import { extractFile } from '../../workers/threads/file.thread.js';
import t from '../support/t.js';
import { docx, paragraph, pptx, textOf } from './file/fixtures.js';
import { contentOf, extractHtml } from './page/extract.js';

type Assert = Parameters<typeof contentOf>[0];

/** Returns the text of a page that has only this table. */
const pageText = (t: Assert, table: string): string =>
  contentOf(
    t,
    extractHtml(`<!doctype html><title>T</title><main><h1>Rents</h1><table>${table}</table></main>`),
  ).text.replace('# Rents\n\n', '');
const rows = (...lines: string[]) => lines.map((cells) => `<tr>${cells}</tr>`).join('');
const td = (...texts: (string | number)[]) => texts.map((text) => `<td>${text}</td>`).join('');
const th = (...texts: (string | number)[]) => texts.map((text) => `<th>${text}</th>`).join('');

t.test('cells of a page stand under their own names, and merged labels in each of their rows', async (t) => {
  const head = rows(
    '<th rowspan=2>Tent</th><th colspan=2>May</th><th rowspan="2">Beds</th>',
    th('Night', 'Week'),
  );
  const body = rows(
    `<th scope=row rowspan=2>Dome</th>${td(8, 50, 2)}`,
    td(9, 56, 3),
    `${td('Hut')}<td colspan="2">closed</td>${td(4)}`,
    '<td colspan=4>Prices with tax</td>',
  );
  const lines = [
    '| Tent | May | May | Beds |',
    '| Tent | Night | Week | Beds |',
    '| --- | --- | --- | --- |',
    '| Dome | 8 | 50 | 2 |',
    '| Dome | 9 | 56 | 3 |',
    '| Hut | closed | closed | 4 |',
    '| Prices with tax |',
  ].join('\n');
  t.equal(pageText(t, `<thead>${head}</thead><tbody>${body}</tbody>`), lines);
  t.equal(pageText(t, head + body), lines, 'without sections');
  const { header, rows: read } = tableRows(lines, { start: 0, end: lines.length });
  t.equal(header && lines.slice(header.start, header.end), '| Tent | Night | Week | Beds |');
  t.equal(read.length, 4);
});

t.test('a title above a table is no column name, a footer stands at the end', async (t) => {
  t.equal(
    pageText(
      t,
      `<thead>${rows('<th colspan=2>Rents in June</th>', th('Room', 'Rent (€)'))}</thead><tfoot>${rows(td('All', 70))}</tfoot><tbody>${rows(td('East', 30), td('West', 40))}</tbody>`,
    ),
    'Rents in June\n\n| Room | Rent (€) |\n| --- | --- |\n| East | 30 |\n| West | 40 |\n| All | 70 |',
  );
});

t.test('column names without header cells are known by their kind or by bold type', async (t) => {
  const bordered = (text: string) => text.split('\n')[1]?.startsWith('| ---') === true;
  t.ok(
    bordered(
      pageText(t, rows(td('<b>Room</b>', '<strong>Key</strong>'), td('East', 'brass'), td('West', 'iron'))),
    ),
  );
  t.ok(bordered(pageText(t, rows(td('Room', 2023, 2024), td('East', 310, 320), td('West', 410, 390)))));
  t.ok(bordered(pageText(t, rows('<td></td><th>2023</th><th>2024</th>', td('East', 310, 320)))));
  t.ok(bordered(pageText(t, rows(td('Room', 'Rent', 'Beds'), td('East', '30 €', 2), td('West', '40 €', 3)))));
  t.notOk(bordered(pageText(t, rows(td('East', 310, 320), td('West', 410, 420), td('South', 510, 530)))));
  t.notOk(bordered(pageText(t, rows(th('Phone') + td('555 12'), th('Fax') + td('555 13')))));
});

t.test('a cell that covers very many rows does not multiply its text', async (t) => {
  const wide = `<td rowspan=60000 colspan=100>${'label '.repeat(30)}</td>`;
  const text = pageText(t, `<tr>${td(1)}${wide}</tr>${rows(td(2)).repeat(5000)}`);
  t.ok(text.length < 150_000, `${text.length} characters`);
});

const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
const line = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
const readDocx = async (body: string) => textOf(await extractFile({ bytes: docx(body), fileName: 'a.docx' }));

t.test('merged cells of a document', async (t) => {
  const span = (count: number) => `<w:gridSpan w:val="${count}"/>`;
  const merge = (value = '') => `<w:vMerge${value && ` w:val="${value}"`}/>`;
  const merged = line(cell('Room') + cell('Rent', '<w:hMerge w:val="restart"/>') + cell('', '<w:hMerge/>'));
  t.match(
    await readDocx(`<w:tbl>${merged}${line(cell('East') + cell('30') + cell('31'))}</w:tbl>`),
    '| Room | Rent | Rent |',
  );
  const table = `<w:tbl>${line(cell('Rents', span(4)))}
    ${line(cell('Room', merge('restart')) + cell('Visitors', span(2)) + cell('Key'))}
    ${line(cell('', merge()) + cell('2023') + cell('2024') + cell(''))}
    ${line(cell('East', merge('restart')) + cell('30') + cell('31') + cell('brass'))}
    ${line(cell('', merge()) + cell('40') + cell('41') + cell('iron'))}
    ${line(cell('50') + cell('51') + cell('tin'), '<w:gridBefore w:val="1"/>')}
    ${line(cell('West') + cell('60'), '<w:gridAfter w:val="2"/>')}</w:tbl>`;
  t.equal(
    await readDocx(table),
    [
      'Rents\n',
      '| Room | Visitors | Visitors | Key |',
      '| Room | 2023 | 2024 | Key |',
      '| --- | --- | --- | --- |',
      '| East | 30 | 31 | brass |',
      '| East | 40 | 41 | iron |',
      '|  | 50 | 51 | tin |',
      '| West | 60 |  |  |',
    ].join('\n'),
  );
});

t.test('declared header rows of a long table of a document are repeated', async (t) => {
  const body = Array.from({ length: 120 }, (_, at) => line(cell(`Room ${at}`) + cell(`${at} €`))).join('');
  const head =
    line(cell('Room') + cell('Rent'), '<w:tblHeader/>') + line(cell('name') + cell('net'), '<w:tblHeader/>');
  const text = await readDocx(`<w:tbl>${head}${body}</w:tbl>`);
  t.match(text, /^\| Room \| Rent \|\n\| name \| net \|\n\| --- \| --- \|\n\| Room 0 \| 0 € \|/);
  t.ok(text.split('| Room | Rent |\n| name | net |\n| --- | --- |').length > 2);
});

t.test(
  'a merged title beside an empty cell is no column name; a list in a cell keeps its divisions',
  async (t) => {
    const line = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const cell = (text: string, span = 1) =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${span}"/></w:tcPr>${text
        .split('|')
        .map((part) => paragraph(part))
        .join('')}</w:tc>`;
    const calendar = line(cell('June', 3), cell(''));
    const names = line(cell('Mon'), cell(''), cell('Tue'), cell(''));
    const days = line(cell('1'), cell('closed'), cell('2'), cell('open'));
    t.equal(
      await readDocx(`<w:tbl>${calendar}${names}${days}</w:tbl>`),
      'June\n\n| Mon |  | Tue |  |\n| --- | --- | --- | --- |\n| 1 | closed | 2 | open |',
    );
    t.equal(
      await readDocx(`<w:tbl>${line(cell('Bring'), cell('boots|a rope|bread'))}</w:tbl>`),
      '| Bring | boots; a rope; bread |\n| --- | --- |',
    );
  },
);

t.test('merged cells of a slide', async (t) => {
  const tc = (text: string, attributes = '') =>
    `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const table = `<p:graphicFrame><a:tbl><a:tr>${tc('Room', 'rowSpan="2"')}${tc('Rent', 'gridSpan="2"')}${tc('', 'hMerge="1"')}</a:tr>
    <a:tr>${tc('', 'vMerge="1"')}${tc('day')}${tc('week')}</a:tr>
    <a:tr>${tc('East', 'rowSpan="2"')}${tc('3')}${tc('15')}</a:tr><a:tr>${tc('', 'vMerge="1"')}${tc('4')}${tc('20')}</a:tr></a:tbl></p:graphicFrame>`;
  t.equal(
    textOf(await extractFile({ bytes: pptx([{ shapes: table }]), fileName: 'a.pptx' })),
    '## Slide 1\n\n| Room | Rent | Rent |\n| Room | day | week |\n| --- | --- | --- |\n| East | 3 | 15 |\n| East | 4 | 20 |',
  );
});

t.test('signs in cells are read by the words that name them', async (t) => {
  const named = rows(
    th('Tent', 'Light', 'Stove', 'Lock', 'Shower'),
    td(
      'Dome',
      '<img alt="yes" src="a.png">',
      '<svg aria-label="not included"><path/></svg>',
      '<svg><title>on request</title><path/></svg>',
      '<i class="icon"></i><span class="sr-only">four a day</span>',
    ),
    td('Hut', '<img alt="IMG_20.jpg" src="b.png">', '<img alt="shown beside" src="c.png">gas', '', 1),
  );
  t.equal(
    pageText(t, named),
    [
      '| Tent | Light | Stove | Lock | Shower |',
      '| --- | --- | --- | --- | --- |',
      '| Dome | yes | not included | on request | four a day |',
      '| Hut |  | gas |  | 1 |',
    ].join('\n'),
  );
});

t.test('elements with the roles of a table are a table', async (t) => {
  const line = (role: string, ...texts: string[]) =>
    `<div role="row">${texts.map((text) => `<span role="${role}">${text}</span>`).join('')}</div>`;
  const table = `<div role="table"><div role="rowgroup">${line('columnheader', 'Tent', 'Night')}</div>${line('cell', 'Dome', '8')}${line('cell', 'Hut', '21')}</div>`;
  const { text } = contentOf(
    t,
    extractHtml(
      `<!doctype html><title>T</title><main><h1>Rents</h1>${table}<div role="row">Alone</div></main>`,
    ),
  );
  t.match(text, '| Tent | Night |\n| --- | --- |\n| Dome | 8 |\n| Hut | 21 |');
  t.match(text, 'Alone');
});

t.test('an icon in a cell is yes or no', async (t) => {
  const icons = rows(
    th('Plan', 'Boat', 'Sauna'),
    td('Small', '<i class="fa fa-check"></i>', '<i class="icon-cross"></i>'),
  );
  t.match(pageText(t, icons), '| Small | ✓ | ✗ |');
});
