import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pptx, shape, textOf } from './fixtures.js';

const text = async (...args: Parameters<typeof pptx>) =>
  textOf(await extractFile({ bytes: pptx(...args), fileName: 'a.pptx' }));

t.test('slides are in order, with titles, notes and a mark if hidden', async (t) => {
  const slides = [
    { shapes: shape('Second body') + shape('Second', 'title') },
    {
      shapes: shape('First', 'ctrTitle') + shape('By us', 'subTitle') + shape('9', 'sldNum'),
      notes: 'Say hello',
    },
    { shapes: shape('Third', 'title'), hidden: true },
    { shapes: '' },
  ];
  t.equal(
    await text(slides, [1, 0, 2, 3]),
    '## First\n\nBy us\n\nNotes: Say hello\n\n## Second\n\nSecond body\n\n## Third (hidden)',
  );
  const result = await extractFile({ bytes: pptx(slides, [1, 0, 2, 3]), fileName: 'a.pptx' });
  t.match(result, { extraction: { title: 'First', metadata: { slides: 4, titleSource: 'slide' } } });
});

t.test('tables, groups, line breaks and bullet levels', async (t) => {
  const cell = (content: string) =>
    `<a:tc><a:txBody><a:p><a:r><a:t>${content}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell('A')}${cell('B')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl></p:graphicFrame>`;
  const grouped = `<p:grpSp><p:grpSp>${shape('inside')}</p:grpSp></p:grpSp>`;
  const levels =
    '<p:sp><p:txBody><a:p><a:r><a:t>top</a:t></a:r><a:br/><a:r><a:t>more</a:t></a:r></a:p><a:p><a:pPr lvl="1"/><a:r><a:t>sub</a:t></a:r></a:p></p:txBody></p:sp>';
  t.equal(
    await text([{ shapes: table + grouped + levels }]),
    '## Slide 1\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\ninside\n\ntop\nmore\n  - sub',
  );
});

t.test('a footer on every slide is written once', async (t) => {
  const slide = { shapes: shape('Body') + shape('Our company', 'ftr') };
  t.equal((await text([slide, slide])).split('Our company').length, 2);
});

t.test('a slide without a title is headed by its number', async (t) => {
  const slides = [
    { shapes: shape('Einleitung', 'title') },
    { shapes: shape('Nur Text') },
    { shapes: shape('  ', 'title') + shape('本文'), hidden: true },
  ];
  t.equal(await text(slides), '## Einleitung\n\n## Slide 2\n\nNur Text\n\n## Slide 3 (hidden)\n\n本文');
});

const p = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const a = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const modern = 'xmlns:c="http://schemas.microsoft.com/office/powerpoint/2018/8/main"';

t.test('comments of the older format name their author', async (t) => {
  const comments = `<p:cmLst ${p}><p:cm authorId="1" dt="2024-03-01T10:00:00" idx="1"><p:pos x="10" y="10"/><p:text>Prüfe die Zahlen.
# Zweite Zeile</p:text></p:cm><p:cm authorId="7" idx="2"><p:text>Sans auteur</p:text></p:cm><p:cm authorId="1" idx="3"><p:text> </p:text></p:cm></p:cmLst>`;
  const authors = `<p:cmAuthorLst ${p}><p:cmAuthor id="0" name="Bo" initials="B"/><p:cmAuthor id="1" name="Änne Groß" initials="ÄG"/></p:cmAuthorLst>`;
  t.equal(
    await text([{ shapes: shape('Umsatz', 'title'), notes: 'Langsam', comments }], [0], authors),
    '## Umsatz\n\nNotes: Langsam\n\nComment by Änne Groß: Prüfe die Zahlen.\n\\# Zweite Zeile\n\nComment: Sans auteur',
  );
});

t.test('threaded comments are followed by their replies', async (t) => {
  const body = (...paragraphs: string[]) =>
    `<c:txBody>${paragraphs.map((one) => `<a:p><a:r><a:t>${one}</a:t></a:r></a:p>`).join('')}</c:txBody>`;
  const reply = `<c:replyLst><c:reply id="{2}" authorId="{B}">${body('わかりました。')}</c:reply><c:reply id="{3}" authorId="{A}">${body('ありがとう')}</c:reply></c:replyLst>`;
  const comments = `<c:cmLst ${modern} ${a}><c:cm id="{1}" authorId="{A}">${reply}${body('図を直す', '色も')}</c:cm><c:cm id="{4}" authorId="{B}">${body('済み')}</c:cm></c:cmLst>`;
  const authors = `<c:authorLst ${modern}><c:author id="{A}" name="佐藤"/><c:author id="{B}" name="Lee"/></c:authorLst>`;
  t.equal(
    await text([{ shapes: shape('図', 'title'), comments }], [0], authors),
    '## 図\n\nComment by 佐藤: 図を直す\n色も\n\nReply by Lee: わかりました。\n\nReply by 佐藤: ありがとう\n\nComment by Lee: 済み',
  );
});

t.test('damaged comments do not fail the slide, and a slide may hold only a comment', async (t) => {
  t.equal(await text([{ shapes: shape('Title', 'title'), comments: '<p:cmLst' }]), '## Title');
  const comments = `<p:cmLst ${p}><p:cm authorId="0"><p:text>Empty so far</p:text></p:cm></p:cmLst>`;
  t.equal(await text([{ shapes: '', comments }]), '## Slide 1\n\nComment: Empty so far');
});

t.test('bullets that say yes or no are kept', async (t) => {
  const item = (char: string, content: string) =>
    `<a:p><a:pPr><a:buFont typeface="Wingdings"/><a:buChar char="${char}"/></a:pPr><a:r><a:t>${content}</a:t></a:r></a:p>`;
  const list = `<p:sp><p:txBody>${item('ü', 'Towels')}${item('û', 'Meals')}${item('§', 'Keys')}</p:txBody></p:sp>`;
  t.match(await text([{ shapes: list }]), '- ✓ Towels\n- ✗ Meals\n- Keys');
});

t.test('symbols of a run are shown by its font', async (t) => {
  const run = (text: string, fonts: string) => `<a:r><a:rPr>${fonts}</a:rPr><a:t>${text}</a:t></a:r>`;
  const shapes = `<p:sp><p:txBody><a:p>${run('\u00fc', '<a:latin typeface="Wingdings"/>')}${run(' pool ', '')}${run('\uf0fb', '<a:latin typeface="Arial"/><a:sym typeface="Wingdings"/>')}${run(' für', '<a:latin typeface="Arial"/><a:sym typeface="Wingdings"/>')}</a:p></p:txBody></p:sp>`;
  t.match(textOf(await extractFile({ bytes: pptx([{ shapes }]), fileName: 'a.pptx' })), '✓ pool ✗ für');
});

t.test('struck runs are marked', async (t) => {
  const run = (content: string, attributes = '') => `<a:r><a:rPr ${attributes}/><a:t>${content}</a:t></a:r>`;
  const shapes = `<p:sp><p:txBody><a:p>${run('Day ', 'strike="noStrike"')}${run('18', 'strike="sngStrike"')}${run(' 12')}</a:p></p:txBody></p:sp>`;
  t.match(await text([{ shapes }]), 'Day ~~18~~ 12');
});
