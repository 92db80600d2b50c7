import t from '../../support/t.js';
import { contentOf, extractHtml, failureOf } from './extract.js';
import { prose, sentence } from './sentences.js';

const shell = (head: string, body: string): string =>
  `<!doctype html><html><head><title>A quiet engine</title>${head}</head><body>${body}</body></html>`;
const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

t.test('a page without visible text gives the text in its data for scripts', async (t) => {
  const state = {
    props: {
      post: {
        body: `<p>${sentence(1)}</p><p>${sentence(2)}</p>`,
        url: 'https://site.example/a/long/address/of/it',
      },
      i18n: { hint: sentence(3) },
    },
  };
  const pages: Record<string, string> = {
    'structured data': shell(
      ld({ '@type': 'NewsArticle', articleBody: `${sentence(1)}\n\n${sentence(2)}` }),
      '<div id="app"></div>',
    ),
    'state in JSON': shell(
      '',
      `<div id="root"></div><script id="state" type="application/json">${JSON.stringify(state)}</script>`,
    ),
    'state that a script assigns': shell(
      '',
      `<div id="root"></div><script>window.__STATE__ = ${JSON.stringify(state)};</script>`,
    ),
    'state behind brackets': shell(
      '',
      `<div id="root"></div><script>window["__STATE__"] = [${JSON.stringify(state)}];</script>`,
    ),
    'state as an expression': shell(
      '',
      `<div></div><script>window.__STATE__=(function(a){return {post:{html:${JSON.stringify(state.props.post.body)},n:a}}}(1));</script>`,
    ),
    noscript: shell(
      '',
      `<div id="root"></div><noscript><h1>A quiet engine</h1><p>${sentence(1)}</p><p>${sentence(2)} ${sentence(4)}</p></noscript>`,
    ),
  };
  for (const [name, html] of Object.entries(pages)) {
    const { text } = contentOf(t, extractHtml(html));
    t.match(text, /^# A quiet engine\n\n/, name);
    t.ok(text.includes(`${sentence(1)}\n\n${sentence(2)}`), name, { text });
    t.notOk(text.includes(sentence(3)), `${name}: no messages of the application`);
  }
});

t.test('a page without text in its data is refused as empty', async (t) => {
  for (const html of [
    shell(ld({ '@type': 'WebSite', name: 'Site', description: prose(1, 3) }), '<div id="app"></div>'),
    shell('', `<div></div><script type="application/json">{"config":{"note":"${prose(1, 3)}"}}</script>`),
    shell('', '<div></div><script type="application/json">{"broken": </script>'),
    shell('', `<div></div><noscript>${'<img src="pixel.gif">'.repeat(20)}</noscript>`),
  ])
    t.equal(failureOf(extractHtml(html)), 'EMPTY_TEXT', html.slice(60, 200));
});

t.test('the declared text is used if the page shows only its beginning', async (t) => {
  const declared = ld({ '@type': 'NewsArticle', articleBody: prose(1, 12) });
  const start = contentOf(t, extractHtml(shell(declared, `<h1>A quiet engine</h1><p>${prose(1, 2)}</p>`)));
  t.ok(start.text.includes(sentence(12)));
  const whole = contentOf(
    t,
    extractHtml(shell(declared, `<h1>A quiet engine</h1><p>${prose(1, 6)}</p><p>${prose(7, 6)}</p>`)),
  );
  t.ok(whole.text.includes(`${sentence(6)}\n\n${sentence(7)}`), 'the visible text keeps its paragraphs');
});
