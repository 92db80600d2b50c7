import t from '../../support/t.js';
import { contentOf, extractHtml } from './extract.js';
import { prose } from './sentences.js';

const page = (head: string, body = `<p>${prose(1, 4)}</p>`, html = ''): string =>
  `<!doctype html><html ${html}><head>${head}</head><body>${body}</body></html>`;

t.test('the title does not contain the name of the site', async (t) => {
  const titles: [string, string, string?][] = [
    ['<title>Rope making</title>', 'Rope making'],
    ['<title>Rope making by hand | The Site</title>', 'Rope making by hand'],
    ['<title>About us - Contoso</title>', 'About us'],
    ['<title>The Site » Rope making</title>', 'Rope making', '<h1>Rope making</h1>'],
    ['<title>A - B</title>', 'A - B'],
    ['<title>Old title</title><meta property="og:title" content="Better &amp; new">', 'Better & new'],
    [
      '<title>x</title><meta property="og:title" content="Rope - Daily"><meta property="og:site_name" content="Daily">',
      'Rope',
    ],
    [
      '<title>Rope — Daily</title><meta property="og:title" content="Daily"><meta property="og:site_name" content="Daily">',
      'Rope',
    ],
    ['<title>  \n </title>', 'Heading', '<h1>Heading</h1>'],
    [
      '<title>The 10 best ropes 2024</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"What holds a ship"}</script>',
      'What holds a ship',
      '<h1>What holds a ship</h1>',
    ],
    [
      '<title>Daily</title><meta property="og:site_name" content="Daily">',
      'Rope strike ends',
      '<h1>Rope strike ends</h1>',
    ],
    ['<title>Ropes: a history</title>', 'Ropes: a history'],
    [
      '<title>Knots - The Book</title>',
      'Knots',
      '<header><h1>The Book</h1></header><main><h1>Knots</h1></main>',
    ],
  ];
  for (const [head, title, heading = ''] of titles) {
    t.equal(contentOf(t, extractHtml(page(head, `${heading}<p>${prose(1, 4)}</p>`))).title, title, head);
  }
  t.equal(contentOf(t, extractHtml('<p>No title at all</p>')).title, null);
});

t.test('the name of the site or of a section is not a title', async (t) => {
  const menu = '<nav><a href="/">Daily</a><a href="/news/">News</a><a href="/about">About us</a></nav>';
  const article = '<meta property="article:published_time" content="2024-03-12">';
  const headed = (first: string, second: string): string =>
    `${menu}<main><h1>${first}</h1><article><h2>${second}</h2><p>${prose(1, 4)}</p></article></main>`;
  const cases: [title: string, head: string, body: string, path: string][] = [
    ['Rope strike ends', `<title>News</title>${article}`, headed('News', 'Rope strike ends'), 'a1'],
    ['Rope strike ends', `<title>News - Daily</title>${article}`, headed('News', 'Rope strike ends'), 'a1'],
    [
      'Rope strike ends',
      '<title>Daily</title>',
      headed('Daily', 'Rope strike ends'),
      'news/rope-strike-ends',
    ],
    ['Rope strike ends', '<title>News - Daily</title>', headed('Rope strike ends', 'The first day'), 'a1'],
    ['Rope strike ends', '<title>Rope strike ends - News - Daily</title>', headed('News', 'It ends'), 'a1'],
    [
      'Rope strike ends',
      '<title>Rope strike ends | Daily</title><meta property="og:title" content="News">',
      headed('News', 'It'),
      'a1',
    ],
    ['News', '<title>News - Daily</title>', headed('News', 'Rope strike ends'), 'news'],
    ['About us', '<title>About us - Daily</title>', headed('About us', 'Our history'), 'about/'],
    ['About us', '<title>About us</title>', headed('About us', 'Our history'), 'en/about'],
    [
      'Making a rope by hand',
      '<title>Making a rope by hand - Daily</title>',
      '<nav><a href="/ropes">Making a rope by hand</a></nav><main><h1>By hand</h1></main>',
      'a1',
    ],
    ['News', `<title>News</title>${article}`, headed('News', 'One</h2><h2>Two'), 'a1'],
  ];
  for (const [title, head, body, path] of cases) {
    const found = contentOf(
      t,
      extractHtml(page(head, body), 'text/html', `https://site.example/${path}`),
    ).title;
    t.equal(found, title, `${head} ${path}`);
  }
});

t.test('the language comes from the page', async (t) => {
  const language = (html: string): unknown => contentOf(t, extractHtml(html)).metadata.language;
  t.equal(language(page('', undefined, 'lang="de-AT"')), 'de-AT');
  t.equal(language(page('<meta http-equiv="Content-Language" content="fr, en">')), 'fr');
  t.equal(language(page('<meta property="og:locale" content="pt_BR">')), 'pt-BR');
  t.equal(language(page('', undefined, 'lang="{{lang}}"')), null);
});

t.test('the author comes from the metadata', async (t) => {
  const byline = (head: string): unknown => contentOf(t, extractHtml(page(head))).metadata.byline;
  t.equal(byline('<meta name="author" content=" Ann  Lee ">'), 'Ann Lee');
  t.equal(
    byline(
      '<script type="application/ld+json">{"@type":"NewsArticle","author":[{"name":"Bo"},{"name":"Cy"}]}</script>',
    ),
    'Bo, Cy',
  );
  t.equal(byline('<meta property="article:author" content="https://social.example/bo">'), undefined);
});

t.test('metadata states the kind of text', async (t) => {
  const { metadata, chunks } = contentOf(t, extractHtml(page('<meta charset="utf-8">')));
  t.same(metadata, {
    charset: 'utf-8',
    language: null,
    contentKind: 'html',
    truncated: false,
    chunks: chunks.length,
  });
});
