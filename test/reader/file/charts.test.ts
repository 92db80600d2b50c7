import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { docxEntries, paragraph, relationships, textOf, zipOf } from './fixtures.js';

const r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const c = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"';
const cx = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"';
const mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

const read = async (body: string, chart: string) => {
  const entries = docxEntries(`${body}${paragraph('After')}`).filter(
    ({ name }) => !name.endsWith('document.xml.rels'),
  );
  const links = relationships('word/document.xml', [['c1', 'chart', 'chart.xml']]);
  const bytes = zipOf([...entries, links, { name: 'word/chart.xml', text: chart }]);
  return textOf(await extractFile({ bytes, fileName: 'a.docx' }));
};
const points = (values: readonly (string | number)[]) =>
  values.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join('');
const numbers = (values: readonly number[], code: string) =>
  `<c:numRef><c:numCache><c:formatCode>${code}</c:formatCode>${points(values)}</c:numCache></c:numRef>`;
const series = (categories: string, values: string) =>
  `<c:chartSpace ${c}><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>Guests</c:v></c:tx><c:cat>${categories}</c:cat><c:val>${values}</c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const shown = `<w:p><w:r><w:drawing><c:chart ${c} ${r} r:id="c1"/></w:drawing></w:r></w:p>`;

t.test('a chart shows dates, shares and amounts in their formats', async (t) => {
  const chart = series(numbers([45292, 45323], 'd mmm yyyy'), numbers([0.125, 0.5], '0.0%'));
  t.equal(
    await read(shown, chart),
    '|  | Guests |\n| --- | --- |\n| 1 Jan 2024 | 12.5% |\n| 1 Feb 2024 | 50.0% |\n\nAfter',
  );
});

t.test('the labels of a chart on several levels stand together', async (t) => {
  const level = (labels: Record<number, string>) =>
    `<c:lvl>${Object.entries(labels)
      .map(([i, label]) => `<c:pt idx="${i}"><c:v>${label}</c:v></c:pt>`)
      .join('')}</c:lvl>`;
  const categories = `<c:multiLvlStrRef><c:multiLvlStrCache>${level({ 0: 'Q1', 1: 'Q2', 2: 'Q1' })}${level({ 0: '2023', 2: '2024' })}</c:multiLvlStrCache></c:multiLvlStrRef>`;
  const text = await read(shown, series(categories, numbers([5, 6, 7], 'General')));
  t.match(text, '| 2023, Q1 | 5 |\n| 2023, Q2 | 6 |\n| 2024, Q1 | 7 |');
});

t.test('newer kinds of charts are read, and not the note for older programs', async (t) => {
  const body = `<w:p><w:r><mc:AlternateContent ${mc}><mc:Choice Requires="cx1"><w:drawing><cx:chart ${cx} ${r} r:id="c1"/></w:drawing></mc:Choice><mc:Fallback><w:t>This chart is not available in your version.</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
  const chart = `<cx:chartSpace ${cx}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Start</cx:pt><cx:pt idx="1">Rent</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="0.00"><cx:pt idx="0">900</cx:pt><cx:pt idx="1">-350.5</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Budget</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`;
  const text = await read(body, chart);
  t.match(text, '| Start | 900.00 |\n| Rent | -350.50 |');
  t.notMatch(text, 'not available');
});

const axis = (kind: string, id: number, position: string, code: string) =>
  `<c:${kind}><c:axId val="${id}"/><c:axPos val="${position}"/><c:numFmt formatCode="${code}" sourceLinked="0"/></c:${kind}>`;
const axisIds = (...ids: readonly number[]) => ids.map((id) => `<c:axId val="${id}"/>`).join('');
const oneOf = (name: string, more: string) => `<c:ser><c:tx><c:v>${name}</c:v></c:tx>${more}</c:ser>`;

t.test('values without a format use that of their axis or labels', async (t) => {
  const bare = series(numbers([45778, 45809], 'General'), numbers([0.37, 0.5], 'General'));
  const axes = `${axis('dateAx', 1, 'b', 'mmm\\-yy')}${axis('valAx', 2, 'l', '0%')}`;
  t.match(
    await read(
      shown,
      bare
        .replace('</c:barChart>', `${axisIds(1, 2)}</c:barChart>`)
        .replace('</c:plotArea>', `${axes}</c:plotArea>`),
    ),
    '| May-25 | 37% |\n| Jun-25 | 50% |',
  );
  const labels = '<c:dLbls><c:numFmt formatCode="0.0%" sourceLinked="0"/></c:dLbls><c:cat>';
  t.match(await read(shown, bare.replace('<c:cat>', labels)), '| 45778 | 37.0% |');
});

t.test('the format of an axis is used only for its own series', async (t) => {
  const labels = `<c:cat>${points(['May'])}</c:cat>`;
  const values = (value: number) => `<c:val>${numbers([value], 'General')}</c:val>`;
  const chart = (first: string, second: string) =>
    `<c:chartSpace ${c}><c:plotArea><c:barChart>${oneOf('Revenue', labels + values(1200))}${axisIds(1, 2)}</c:barChart><c:lineChart>${oneOf('Share', labels + values(0.2))}${axisIds(3, 4)}</c:lineChart>${axis('catAx', 1, 'b', 'General')}${axis('valAx', 2, 'l', first)}${axis('catAx', 3, 'b', 'General')}${axis('valAx', 4, 'r', second)}</c:plotArea></c:chartSpace>`;
  t.match(await read(shown, chart('#,##0', '0%')), '| May | 1,200 | 20% |');
  t.match(await read(shown, chart('General', '0%')), '| May | 1200 | 20% |');
  t.match(await read(shown, chart('#,##0', 'General')), '| May | 1,200 | 0.2 |');
});

t.test('values of a scatter chart have the format of the upright axis', async (t) => {
  const one = oneOf(
    'Guests',
    `<c:xVal>${numbers([45778], 'General')}</c:xVal><c:yVal>${numbers([37], 'General')}</c:yVal><c:bubbleSize>${numbers([7], 'General')}</c:bubbleSize>`,
  );
  const chart = (y: string) =>
    `<c:chartSpace ${c}><c:plotArea><c:bubbleChart>${one}${axisIds(1, 2)}</c:bubbleChart>${axis('valAx', 1, 'b', 'mmm\\-yy')}${axis('valAx', 2, 'l', y)}</c:plotArea></c:chartSpace>`;
  t.match(await read(shown, chart('General')), '| May-25 | 37 | 7 |');
  t.match(await read(shown, chart('0.0')), '| May-25 | 37.0 | 7 |');
});

t.test('a format of percentages of a pie is none of its values', async (t) => {
  const labels =
    '<c:dLbls><c:numFmt formatCode="0%" sourceLinked="0"/><c:showVal val="0"/><c:showPercent val="1"/></c:dLbls>';
  const pie = series(`${points(['May'])}`, numbers([1200], 'General')).replace('<c:cat>', `${labels}<c:cat>`);
  t.match(await read(shown, pie), '| May | 1200 |');
});

t.test('bars in the labels of a chart add no columns', async (t) => {
  const chart = series(points(['A|B']), numbers([5], '0')).replace('Guests', 'Share|%');
  t.match(await read(shown, chart), '|  | Share\\|% |\n| --- | --- |\n| A\\|B | 5 |');
});

t.test('series stand in columns, bubbles with their sizes, and extensions are left out', async (t) => {
  const one = (name: string, more: string) => `<c:ser><c:tx><c:v>${name}</c:v></c:tx>${more}</c:ser>`;
  const x = `<c:xVal>${numbers([1, 2], 'General')}</c:xVal>`;
  const bubbles = `<c:chartSpace ${c}><c:bubbleChart>${one('Old', `${x}<c:yVal>${numbers([3, 4], 'General')}</c:yVal><c:bubbleSize>${numbers([70, 80], 'General')}</c:bubbleSize><c:extLst><c:tx><c:v>gone</c:v></c:tx></c:extLst>`)}${one('New', `${x}<c:yVal>${numbers([5], 'General')}</c:yVal>`)}</c:bubbleChart></c:chartSpace>`;
  t.equal(
    await read(shown, bubbles),
    '|  | Old |  | New |\n| --- | --- | --- | --- |\n| 1 | 3 | 70 | 5 |\n| 2 | 4 | 80 |  |\n\nAfter',
  );
});

t.test('categories of newer charts may be dates', async (t) => {
  const body = `<w:p><w:r><w:drawing><cx:chart ${cx} ${r} r:id="c1"/></w:drawing></w:r></w:p>`;
  const dimension = (type: string, code: string, values: readonly number[]) =>
    `<cx:numDim type="${type}"><cx:lvl formatCode="${code}">${values.map((value, i) => `<cx:pt idx="${i}">${value}</cx:pt>`).join('')}</cx:lvl></cx:numDim>`;
  const chart = `<cx:chartSpace ${cx}><cx:data id="0">${dimension('cat', 'mmm\\-yy', [45778, 45809])}${dimension('val', '0%', [0.9, 0.4])}</cx:data><cx:series><cx:dataId val="0"/></cx:series></cx:chartSpace>`;
  t.match(await read(body, chart), '| May-25 | 90% |\n| Jun-25 | 40% |');
});
