import t from '../../support/t.js';
import { contentOf, extractHtml, failureOf } from './extract.js';

t.test('plain text is kept unchanged', async (t) => {
  const { text, title, metadata } = contentOf(
    t,
    extractHtml(
      'Line one\r\n  two <b>\r\rthree\u0000',
      'text/plain',
      'https://site.example/docs/read%20me.txt',
    ),
  );
  t.equal(text, 'Line one\n  two <b>\n\nthree');
  t.equal(title, 'read me.txt');
  t.equal(metadata.contentKind, 'text');
});

t.test(
  'Markdown keeps its markup without its front matter, and its first heading is the title',
  async (t) => {
    const source = '---\nkey: value\n---\n\n## The guide ##\n\n- one\n\n```sh\n# not a title\n```\n';
    const { text, title, metadata, chunks } = contentOf(
      t,
      extractHtml(source, 'text/markdown; charset=utf-8'),
    );
    t.equal(text, source.slice(source.indexOf('##')).trimEnd());
    t.equal(title, 'The guide');
    t.equal(metadata.contentKind, 'markdown');
    t.same(chunks.at(-1)?.headings, ['The guide']);
  },
);

t.test('removes markers in titles and embedded picture data', async (t) => {
  const source = `# The **bold** guide {#top}\n\ntext ![x](data:image/png;base64,${'iVBORw0KGgo'.repeat(20)}) end`;
  const { title, text } = contentOf(t, extractHtml(source, 'text/markdown'));
  t.equal(title, 'The bold guide');
  t.notMatch(text, /iVBORw/);
  t.match(text, / end$/);
});

t.test('a # is escaped in plain text, and an underlined line is a heading in Markdown', async (t) => {
  const headings = (type: string): unknown =>
    contentOf(t, extractHtml('# run this\n\nTop\n===\n\nText.', type)).chunks.map((chunk) => chunk.headings);
  t.same(headings('text/plain'), [[], ['Top']]);
  t.same(headings('text/markdown'), [['Top']]);
});

t.test('a Markdown file served as text is Markdown', async (t) => {
  t.equal(
    contentOf(t, extractHtml('# Top\n\ntext', 'text/plain', 'https://site.example/a/README.md')).title,
    'Top',
  );
});

t.test('vertical tabs and form feeds are line breaks', async (t) => {
  t.equal(contentOf(t, extractHtml('one\u000btwo\u000cthree', 'text/plain')).text, 'one\ntwo\nthree');
});

t.test('a body without markup keeps its lines, whatever its content type', async (t) => {
  t.equal(contentOf(t, extractHtml('one\ntwo', 'text/html')).text, 'one\ntwo');
  t.equal(contentOf(t, extractHtml('one\ntwo', null)).text, 'one\ntwo');
  t.equal(contentOf(t, extractHtml('a &lt; b', 'text/html')).text, 'a < b');
});

t.test('rejects an empty text', async (t) => {
  t.equal(failureOf(extractHtml(' \n\u200b', 'text/plain')), 'EMPTY_TEXT');
});
