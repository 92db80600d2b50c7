import t from 'tap';
import { extractFile } from '../../../../workers/threads/file.thread.js';
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
    '## Slide 1: First\n\nBy us\n\nNotes: Say hello\n\n## Slide 2: Second\n\nSecond body\n\n## Slide 3 (hidden): Third',
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
