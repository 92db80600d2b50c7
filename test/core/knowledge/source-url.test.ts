import {
  MAX_SOURCE_URL,
  parseSourceUrl,
  refusalOfHost,
  refusalOfUrl,
} from '../../../core/knowledge/urls/source-url.js';
import { corpusMissing, corpusTable } from '../../support/corpus/table.js';
import t from '../../support/t.js';

const urlOf = (input: string): string | null => {
  const parsed = parseSourceUrl(input);
  return parsed.ok ? parsed.url : null;
};
const reasonOf = (input: string): string => {
  const parsed = parseSourceUrl(input);
  return parsed.ok ? `accepted as ${parsed.url}` : parsed.reason;
};

t.test('matches the shared table of URLs', { skip: corpusMissing }, async (t) => {
  const cases =
    corpusTable<{ url: string; accept: boolean; why: string; grey?: string }[]>('ssrf/ssrf-urls.json');
  t.ok(cases.length > 200);
  for (const { url, accept, why } of cases.filter(({ grey }) => grey === undefined)) {
    t.equal(parseSourceUrl(url).ok, accept, `${why}: ${JSON.stringify(url)}`);
  }
});

t.test('two spellings of a page become the same URL', async (t) => {
  const spellings: [input: string, url: string][] = [
    ['example.com', 'https://example.com/'],
    ['  https://example.com/  ', 'https://example.com/'],
    ['HTTPS://EXAMPLE.COM./Path?B=c#part', 'https://example.com/Path?B=c'],
    ['https://example.com:443/#', 'https://example.com/'],
    ['http://example.com:80/a/../b', 'http://example.com/b'],
    ['http://example.com:443/', 'http://example.com:443/'],
    ['example.com:8080/path', 'https://example.com:8080/path'],
    ['example.com:8080?q', 'https://example.com:8080/?q'],
    ['//example.com/x', 'https://example.com/x'],
    ['münchen.de:8443/ä', 'https://xn--mnchen-3ya.de:8443/%C3%A4'],
    ['https://8.8.8.8./', 'https://8.8.8.8/'],
    ['https://134744072/', 'https://8.8.8.8/'],
    ['https://example.com./', 'https://example.com/'],
    ['example.com/?next=https://a.example/', 'https://example.com/?next=https://a.example/'],
    ['https://foo_bar.example.com/', 'https://foo_bar.example.com/'],
  ];
  for (const [input, url] of spellings) {
    t.equal(urlOf(input), url, input);
    t.equal(urlOf(url), url, `${url} is its own normal form`);
  }
});

t.test('every rejection has a reason', async (t) => {
  const refusals: [input: string, reason: RegExp][] = [
    ['', /empty/],
    [' \n ', /empty/],
    ['mailto:x@example.com', /http or https/],
    ['user:123@example.com', /http or https/],
    ['ftp://example.com', /http or https/],
    ['example.com:/x', /http or https/],
    ['0://example.com:80', /http or https/],
    ['https:example.com', /two slashes/],
    ['https:/example.com', /two slashes/],
    ['https:///example.com', /two slashes/],
    ['https://?q', /two slashes/],
    ['/path', /valid URL/],
    ['https://exa mple.com', /valid URL/],
    ['https://example..com', /valid URL/],
    ['https://.example.com', /valid URL/],
    ['https://example.com..', /valid URL/],
    ['https://*.example.com', /valid URL/],
    ['https://a,b.example.com', /valid URL/],
    [`https://${'a'.repeat(64)}.example.com`, /valid URL/],
    [`https://${'a.'.repeat(127)}com`, /valid URL/],
    ['https://example.com\\@evil.example', /backslashes/],
    ['https://exam\tple.com', /control/],
    ['https://example.com/a\u0085b', /control/],
    ['https://@example.com', /user name/],
    ['user@example.com', /user name/],
    ['https://user:pass@example.com', /user name/],
    ['https://10.0.0.1', /private or reserved/],
    ['https://[::1]', /private or reserved/],
    ['https://[64:ff9b::10.0.0.1]', /private or reserved/],
    ['https://[2001:0:1::1]', /private or reserved/],
    ['localhost:3000', /local or internal/],
    ['https://printer.local.', /local or internal/],
    ['https://intranet', /local or internal/],
    ['https://wiki', /with a domain/],
  ];
  for (const [input, reason] of refusals) t.match(reasonOf(input), reason, JSON.stringify(input));
});

t.test('rejects anything but public web pages', async (t) => {
  const urls = [
    ' ',
    'x',
    'localhost',
    'http://localhost:3000',
    'https://a.localhost',
    'https://printer.local',
    'https://db.internal',
    'https://a.test',
    'https://a.home.arpa',
    'https://a.onion',
    'https://a.invalid',
    'https://router.lan',
    'https://a.corp',
    'https://a.private',
    'http://127.0.0.1',
    'http://2130706433',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://127.1',
    'http://10.0.0.1',
    'http://192.168.1.1',
    'http://169.254.169.254/latest',
    'http://100.64.0.1',
    'http://0.0.0.0',
    'http://224.0.0.1',
    'http://[::1]',
    'http://[fd00::1]',
    'http://[fe80::1]',
    'http://[::ffff:127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://[2001::1]',
    'http://①②⑦.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    'https://user:p@example.com',
    'https://',
    'https://example.com:99999',
    '/guide',
  ];
  for (const url of urls) t.equal(parseSourceUrl(url).ok, false, url);
});

t.test('a URL has at most 2,048 characters, also when it is percent-encoded', async (t) => {
  const stem = 'https://example.com/';
  t.ok(parseSourceUrl(stem + 'a'.repeat(MAX_SOURCE_URL - stem.length)).ok);
  t.match(reasonOf(stem + 'a'.repeat(MAX_SOURCE_URL - stem.length + 1)), /2048/);
  t.match(reasonOf(stem + 'ä'.repeat(1000)), /percent-encoded/);
});

t.test('the host rules apply to every hop of a redirect', async (t) => {
  t.equal(refusalOfHost('example.com'), null);
  t.equal(refusalOfHost('example.com.'), null);
  for (const host of ['127.0.0.1', '[::ffff:7f00:1]', 'localhost.', 'a.internal', 'metadata', 'a..b']) {
    t.type(refusalOfHost(host), 'string', host);
  }
  t.equal(refusalOfUrl(new URL('https://example.com/')), null);
  t.match(refusalOfUrl(new URL('ftp://example.com/')), /http or https/);
  t.match(refusalOfUrl(new URL('https://u@example.com/')), /user name/);
});
