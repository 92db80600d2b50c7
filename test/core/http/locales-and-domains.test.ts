import t from 'tap';
import { body, invalid } from '../../support/api-client.js';
import { corpusMissing, corpusTable } from '../../support/corpus/table.js';
import { startTestService } from '../../support/service.js';

const service = await startTestService(t);
const fresh = async (group: string) => {
  const api = await service.client();
  return { api, path: `/agents/${(await api.agent()).id}/settings/${group}` };
};

/** Locales in the contract, from spelling to canonical form. */
const aliases: Record<string, string> = {
  ...{ 'en-US': 'en', 'en-GB': 'en', en_AU: 'en', EN: 'en', 'pt-BR': 'pt', pt_pt: 'pt', 'PT-AO': 'pt' },
  ...{ 'zh-Hant': 'zh-tw', 'zh-HK': 'zh-tw', 'zh-MO': 'zh-tw', 'zh-TW': 'zh-tw', ZH_hant_hk: 'zh-tw' },
  ...{ zh: 'zh-cn', 'zh-Hans': 'zh-cn', 'zh-SG': 'zh-cn', 'zh-CN': 'zh-cn', zh_hans_cn: 'zh-cn' },
  ...{
    'es-MX': 'es',
    'fr-CA': 'fr',
    'de-AT': 'de',
    it: 'it',
    nl: 'nl',
    pl: 'pl',
    ru: 'ru',
    tr: 'tr',
    ar: 'ar',
    he: 'he',
    'ja-JP': 'ja',
    'ko-KR': 'ko',
  },
};

t.test('regional variants of a locale are stored and returned in canonical form', async (t) => {
  const { api, path } = await fresh('design');
  for (const [language, canonical] of Object.entries(aliases)) {
    t.strictSame(await body(api.patch(path, { language })), { language: canonical }, language);
    t.strictSame(await body(api.get(path)), { language: canonical });
    t.strictSame(
      await body(api.patch(path, { language: canonical })),
      { language: canonical },
      'and the canonical form stays',
    );
  }
  for (const language of [
    '',
    ' ',
    'xx',
    'klingon',
    'english',
    'en-',
    '-en',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    5,
    true,
    ['en'],
  ]) {
    invalid(t, await api.patch(path, { language }), 'language');
  }
});

t.test(
  'spellings of the corpus are stored in canonical form or rejected',
  { skip: corpusMissing },
  async (t) => {
    const { api, path } = await fresh('design');
    const { cases } = corpusTable<{ cases: { in: string }[] }>('locale/locale-aliases.json');
    const canonical = new Set(Object.values(aliases));
    for (const { in: language } of cases) {
      const answer = await api.patch<{ language: string }>(path, { language });
      if (answer.status === 200)
        t.ok(canonical.has(answer.body.language) || /^[a-z]{2,3}$/.test(answer.body.language), language);
      else invalid(t, answer, 'language');
    }
  },
);

t.test('domain expressions of the contract', async (t) => {
  const { api, path } = await fresh('security');
  const patch = (expression: unknown) =>
    api.patch(path, { allowedDomains: { enabled: true, domains: [expression] } });
  const label = 'a'.repeat(63);
  const host = `${label}.${label}.${label}.${'a'.repeat(61)}`;
  const good = [
    ...[
      'example.com',
      'EXAMPLE.com',
      '*.example.com',
      'https://example.com',
      'http://*.example.com:8443/path/',
      'HTTPS://a.b',
    ],
    ...[
      'localhost',
      'localhost:3000',
      'intranet',
      '127.0.0.1',
      '127.0.0.1:8080',
      'xn--bcher-kva.example',
      'a-b.c',
      'example.com:*',
    ],
    ...[
      'example.com:1',
      'example.com:65535',
      'example.com/',
      'example.com/a/b.html',
      `${label}.com`,
      host,
      `example.com/${'a'.repeat(2036)}`,
    ],
  ];
  const bad = [
    ...[
      '*',
      'https://*',
      '*.',
      '*.*.com',
      'a.*.com',
      '*example.com',
      'ftp://a.com',
      'ws://a.com',
      'data:',
      "'self'",
      "'none'",
      '"a.com"',
    ],
    ...[
      'a b.com',
      ' a.com',
      'a.com ',
      'a.com;b.com',
      'a.com,b.com',
      'user@a.com',
      'https://u:p@a.com',
      'a.com?x',
      'a.com/?x',
      'a.com#x',
      'a.com/#x',
    ],
    ...[
      'a.com:0',
      'a.com:65536',
      'a.com:',
      'a.com:x',
      'a.com.',
      '.a.com',
      'a..com',
      '-a.com',
      'a-.com',
      'a_b.com',
      'bücher.example',
      '//a.com',
    ],
    ...[
      'https://',
      'https:a.com',
      '',
      `${label}a.com`,
      `a${host}`,
      `example.com/${'a'.repeat(2037)}`,
      'a.com/%zz',
      'a.com/a b',
      'a.com/;',
      '[::1]',
      'a.com\n',
    ],
  ];
  for (const expression of good) t.equal((await patch(expression)).status, 200, expression);
  for (const expression of bad) invalid(t, await patch(expression), 'allowedDomains');
});

t.test('domain expressions of the corpus', { skip: corpusMissing }, async (t) => {
  const { api, path } = await fresh('security');
  for (const { expr, accept, grey } of corpusTable<{ expr: string; accept: boolean; grey?: boolean }[]>(
    'csp/csp-hosts.json',
  )) {
    const answer = await api.patch(path, { allowedDomains: { enabled: true, domains: [expr] } });
    if (grey) t.ok([200, 400].includes(answer.status), expr);
    else t.equal(answer.status, accept ? 200 : 400, expr);
  }
});
