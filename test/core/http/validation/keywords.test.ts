import { hasKnownExtension, isHttpUrl } from '../../../../core/http/validation/keywords.js';
import t from '../../../support/t.js';

t.test('a website is an absolute http(s) URL without white space', async (t) => {
  for (const url of [
    'http://a',
    'HTTPS://a.b/c?d#e',
    'https://[::1]:80/',
    'https://ü.example/\u{1F600}',
    'http://user:p@a.b',
  ])
    t.ok(isHttpUrl(url), url);
  const wrong = [
    '',
    'a.b',
    '//a.b',
    'http:',
    'http://',
    'http:a.b',
    'https:/a.b',
    'ftp://a.b',
    ' http://a.b',
    'http://a.b ',
    'http://a.b/ c',
    'http://a.b\n',
    'http://[',
    'http://a:99999',
  ];
  for (const url of wrong) t.notOk(isHttpUrl(url), url);
});

t.test('2,048 characters are counted in code points', async (t) => {
  const url = (faces: number) => `https://a.b/${'\u{1F600}'.repeat(faces)}`;
  t.ok(isHttpUrl(url(2048 - 12)));
  t.notOk(isHttpUrl(url(2048 - 11)));
});

t.test('accepts extensions in any case, after a name', async (t) => {
  for (const name of ['a.pdf', 'a.TXT', 'a.b.Md', ' .docx', 'a.xlsx', 'ü.pptx'])
    t.ok(hasKnownExtension(name), name);
  for (const name of ['', '.pdf', 'pdf', 'a.pdf ', 'a.pdf.exe', 'a.doc', 'apdf', 'a.mdx'])
    t.notOk(hasKnownExtension(name), name);
});
