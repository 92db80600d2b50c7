import { robotsTokenOf } from '../../../workers/crawl/crawl-settings.js';
import { isAllowed } from '../../../workers/crawl/robots-rules.js';
import { corpusMissing, corpusTable } from '../../support/corpus/table.js';
import t from '../../support/t.js';

interface RobotsCase {
  test: string;
  robots: string;
  agent: string;
  url: string;
  allowed: boolean;
  optional?: string;
}

const allowed = (robots: string, token: string, path: string): boolean =>
  isAllowed({ bytes: Buffer.from(robots), token, path });

t.test('matches the shared cases of the standard', { skip: corpusMissing }, async (t) => {
  const { cases } = corpusTable<{ cases: RobotsCase[] }>('robots/robots-cases.json');
  const binding = cases.filter(({ optional }) => optional === undefined);
  t.ok(binding.length > 40);
  for (const { test, robots, agent, url, allowed: expected } of binding) {
    const { pathname, search } = new URL(url);
    t.equal(allowed(robots, agent, pathname + search), expected, `${test}: ${url}\n${robots}`);
  }
});

const allows = (rules: string, path: string): boolean => allowed(`User-agent: *\n${rules}`, 'CadreBot', path);

t.test('wildcards and the end mark', async (t) => {
  const cases: [rule: string, path: string, matches: boolean][] = [
    ['/*.pdf$', '/a/b.pdf', true],
    ['/*.pdf$', '/a/b.pdf?x', false],
    ['/*.pdf', '/a/b.pdf?x', true],
    ['/a*b*c', '/a-b-c-d', true],
    ['/a*b*c', '/a-c-b', false],
    ['/a*c$', '/abcbc', true],
    ['/a*bc*bc$', '/abc', false],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*', '/anything', true],
    ['/*$', '/anything', true],
    ['/a**b', '/a/b', true],
    ['/search?q=', '/search?q=1', true],
    ['a', '/a', false],
  ];
  for (const [rule, path, matches] of cases)
    t.equal(allows(`Disallow: ${rule}`, path), !matches, `${rule} on ${path}`);
});

t.test('equivalent percent-encodings match', async (t) => {
  t.notOk(allows('Disallow: /caf\u00e9', '/caf%C3%A9'));
  t.notOk(allows('Disallow: /caf%c3%a9', '/caf%C3%A9'));
  t.notOk(allows('Disallow: /%61bc', '/abc'));
  t.notOk(allows('Disallow: /abc', '/%61bc'));
  t.ok(allows('Disallow: /a%2Fb', '/a/b'));
});

t.test('our own group takes precedence over the group for all', async (t) => {
  const text =
    'User-agent: *\nDisallow: /\n\nUser-agent: cadrebot/2.0\nUser-agent: Other\nDisallow: /private\n';
  t.ok(allowed(text, 'CadreBot', '/public'));
  t.notOk(allowed(text, 'CadreBot', '/private/x'));
  t.notOk(allowed(text, 'Cadre', '/public'), 'a part of a name is another name');
});

t.test('an empty group for us allows everything', async (t) => {
  t.ok(allowed('User-agent: *\nDisallow: /\nUser-agent: CadreBot\nDisallow:\n', 'CadreBot', '/x'));
});

t.test('robots.txt itself is always allowed', async (t) => {
  t.ok(allows('Disallow: /', '/robots.txt'));
});

t.test('line ends, byte order marks and garbage are harmless', async (t) => {
  t.notOk(allowed('\uFEFFUser-agent: *\r\nDisallow: /a # no\rSitemap: x', 'CadreBot', '/a'));
  for (const text of [
    '',
    '\u0000\u0001',
    ':::',
    '<html><body>404</body></html>',
    'Disallow: /',
    'User-agent:\nDisallow: /',
  ]) {
    t.ok(allowed(text, 'CadreBot', '/a'), JSON.stringify(text));
  }
  t.notOk(allowed('User-agent: *\nDisallow: /%zz%', 'CadreBot', '/%zz%25'.replace('%25', '%')));
});

t.test('our name in robots.txt derives from the user agent', async (t) => {
  t.equal(robotsTokenOf('CadreBot/1.0 (+knowledge indexer)'), 'CadreBot');
  t.equal(robotsTokenOf('Mozilla/5.0 (compatible; AcmeBot/2.1; +https://acme.example)'), 'AcmeBot');
  t.equal(robotsTokenOf('Acme-Bot'), 'Acme-Bot');
  t.equal(robotsTokenOf('123'), 'CadreBot');
});
