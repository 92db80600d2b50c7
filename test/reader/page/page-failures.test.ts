import t from '../../support/t.js';
import { extractHtml, failureOf } from './extract.js';
import { said, spokenParagraphs } from './languages.js';
import { paragraphs, prose } from './sentences.js';

const page = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

t.test('rejects a page without text', async (t) => {
  for (const html of [
    '',
    '   ',
    page('App', '<div id="root"></div><script>boot()</script>'),
    page('App', '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>'),
    page('App', '<div id="app">Please enable JavaScript to continue.</div>'),
    page('App', '<div class="spinner">Loading...</div>'),
    page('Bilder', '<main><img src="a.jpg"></main>'),
    page('Just a moment...', '<h1>Checking your browser before you proceed.</h1><p>Please wait...</p>'),
    page('App', '<p>Bitte aktivieren Sie JavaScript, um diese Seite zu sehen.</p>'),
  ]) {
    t.equal(failureOf(extractHtml(html)), 'EMPTY_TEXT', html.slice(0, 120));
  }
});

t.test('rejects a page that states that it does not exist, in many languages', async (t) => {
  for (const [title, body] of [
    ['404 Not Found', '<h1>404 Not Found</h1><p>nginx</p>'],
    ['Page not found | Site', '<p>Try the search.</p>'],
    [
      'Site',
      '<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found at this location.</p>',
    ],
    ['Error 404 - Site', '<h1>Sorry</h1><p>Go to the start page.</p>'],
    ['Seite nicht gefunden – Firma', '<p>Leider ist diese Seite nicht mehr da.</p>'],
    ['Page introuvable', '<p>Retournez à l’accueil.</p>'],
    ['Página no encontrada', '<p>Vuelva al inicio.</p>'],
    ['Страница не найдена', '<p>Вернитесь на главную.</p>'],
    ['ページが見つかりません', '<p>トップページへお戻りください。</p>'],
    ['页面不存在', '<p>请返回首页。</p>'],
    ['Shop', '<h1>The page you are looking for does not exist</h1><p>Back to the shop.</p>'],
    ['Oops! | Site', '<h1>Oops!</h1><p>We can’t seem to find the page you’re looking for.</p>'],
    ['Site', '<h1>Stránka nebyla nalezena</h1>'],
    ['Site', '<h1>Oldal nem található</h1>'],
    ['Site', '<h1>Такой страницы нет</h1>'],
    ['Site', '<h1>This content isn’t available right now</h1>'],
  ]) {
    t.equal(failureOf(extractHtml(page(title ?? '', body ?? ''))), 'SOFT_NOT_FOUND', title ?? '');
  }
});

t.test('rejects a login wall', async (t) => {
  for (const html of [
    page(
      'Sign in',
      '<form action="/login"><h1>Sign in</h1><input name="user"><input type="password" name="p"><button>Go</button></form>',
    ),
    page('Portal', '<form><label>User</label><input><input type="PASSWORD"></form>'),
    page('Anmelden – Portal', '<p>Bitte melden Sie sich an.</p><form><input type="password"></form>'),
  ]) {
    t.equal(failureOf(extractHtml(html)), 'LOGIN_REQUIRED', html);
  }
});

t.test('accepts short and unusual pages with content', async (t) => {
  for (const html of [
    '<p>Hello</p>',
    'Just a line of text',
    page('Guide', '<main><h1>Guide</h1><p>Our opening hours are nine to five.</p></main>'),
    page('Status 404 explained', `<h1>What the status 404 means</h1>${paragraphs(1, 6)}`),
    page('How to fix 404 errors on your own web site', '<p>Check the links, then the redirects.</p>'),
    page('Page not found', `<h1>Page not found: the story of a lost book</h1>${paragraphs(1, 6)}`),
    page('404 - Reference', `<h1>404 Not Found</h1><p>${prose(1, 8)}</p>`),
    page('Peugeot 404', '<p>A car of the sixties.</p>'),
    page('Lost and not found: stories of the sea', '<p>Ten tales of ships.</p>'),
    page(
      'Opening hours',
      '<div class="login"><form><input type="password"></form></div><main><p>Our opening hours are nine to five.</p></main>',
    ),
    page(
      'How to sign in',
      `<h1>How to sign in</h1><p>${prose(1, 8)}</p><form><input type="password"></form>`,
    ),
    page(
      'JavaScript',
      '<h1>JavaScript</h1><p>JavaScript is a language that browsers run, and servers as well.</p>',
    ),
    page('A word', '<article><p>Yes.</p></article>'),
  ]) {
    t.equal(failureOf(extractHtml(html)), null, html.slice(0, 150));
  }
});

t.test('reads a public page for browsers without scripts that has a login form', async (t) => {
  const form = '<form action="/login"><input name="user"><input type="password"></form>';
  for (const [language, title, hidden] of [
    ['en', 'Clocks - Board', 'div class="crawler-post"'],
    ['de', 'Anmelden – Forum', 'section'],
    ['fr', 'Se connecter', 'div itemprop="text"'],
    ['es', 'Iniciar sesión', 'main'],
    ['ja', 'ログイン', 'div id="t1"'],
  ] as const) {
    const tag = hidden.split(' ')[0];
    const thread = `<noscript><${hidden}>${spokenParagraphs(language, 0, 4)}</${tag}></noscript>`;
    const result = extractHtml(page(title, `<div class="login">${title}</div>${form}${thread}`));
    t.equal(failureOf(result), null, title);
    t.ok(result.ok && result.extraction.text.includes(said(language, 9)), `keeps the text: ${title}`);
  }
});

t.test('prefers the text for browsers without scripts to a short banner', async (t) => {
  for (const [language, banner] of [
    ['en', 'Install our app to follow this topic on your phone, wherever you are.'],
    ['pl', 'Ta strona używa plików, aby zapamiętać ustawienia odwiedzających.'],
    ['ru', 'Установите приложение, чтобы читать обсуждения на телефоне.'],
    ['fr', 'Installez notre application pour suivre ce sujet sur votre téléphone.'],
    ['de', 'Installieren Sie unsere App, um diesem Thema zu folgen.'],
  ] as const) {
    const thread = `<noscript><div class="n">${spokenParagraphs(language, 0, 8)}</div></noscript>`;
    const result = extractHtml(page('T', `<div class="x"><p>${banner}</p></div>${thread}`));
    t.ok(result.ok && result.extraction.text.includes(said(language, 9)), banner);
  }
});

t.test('rejects a login page that only asks for scripts', async (t) => {
  const demand = '<noscript><p>You need to enable JavaScript to run this app.</p></noscript>';
  const help = `<noscript><p>Please enable JavaScript. ${prose(1, 4)}</p></noscript>`;
  for (const hint of [demand, help])
    t.equal(
      failureOf(extractHtml(page('Portal', `<form><input type="password"></form>${hint}`))),
      'LOGIN_REQUIRED',
    );
});
