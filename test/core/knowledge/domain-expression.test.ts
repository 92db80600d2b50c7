import { isDomainExpression } from '../../../core/knowledge/urls/domain-expression.js';
import { corpusMissing, corpusTable } from '../../support/corpus/table.js';
import t from '../../support/t.js';

t.test('matches the shared table of expressions', { skip: corpusMissing }, async (t) => {
  const cases =
    corpusTable<{ expr: string; accept: boolean; why: string; grey?: string }[]>('csp/csp-hosts.json');
  t.ok(cases.length > 100);
  for (const { expr, accept, why } of cases.filter(({ grey }) => grey === undefined)) {
    t.equal(isDomainExpression(expr), accept, `${why}: ${JSON.stringify(expr)}`);
  }
});

t.test('accepts the usual hosts for embedding and development', async (t) => {
  const label = 'a'.repeat(63);
  const expressions = [
    ...[
      'example.com',
      'www.example.com',
      '*.example.com',
      'https://example.com',
      'HTTP://EXAMPLE.com',
      'https://*.example.com',
    ],
    ...[
      'example.com:8080',
      'example.com:*',
      'https://*.example.com:*',
      'example.com:65535',
      'example.com:1',
      'localhost',
    ],
    ...[
      'localhost:3000',
      'http://localhost:5173',
      '127.0.0.1',
      '127.0.0.1:*',
      'intranet',
      'xn--mnchen-3ya.de',
    ],
    ...[
      'example.com/',
      'example.com/a',
      'example.com/a/',
      'example.com/a//b',
      'https://example.com:443/a/b.html',
      'example.com/a%20b',
    ],
    ...['EXAMPLE.com', 'http://*.example.com:8443/path/', 'HTTPS://a.b', '127.0.0.1:8080', 'a-b.c'],
    `${'a'.repeat(63)}.com`,
    `${label}.${label}.${label}.${'a'.repeat(61)}`,
    `example.com/${'a'.repeat(2036)}`,
  ];
  for (const expression of expressions) t.equal(isDomainExpression(expression), true, expression);
});

t.test('rejects everything else', async (t) => {
  const expressions = [
    ...[
      '',
      ' ',
      '*',
      'https://*',
      '*:*',
      '*/',
      '**',
      '*.',
      'a.*',
      '*a.com',
      'a.*.com',
      '*.*.com',
      'example.com.',
      '.example.com',
    ],
    ...[
      'a..b',
      'ftp://example.com',
      'wss://example.com',
      'https:',
      "'self'",
      "'none'",
      '"example.com"',
      'a b',
      'a;b',
      'a,b',
    ],
    ...[
      'example.com\n',
      'example.com\u0000',
      'user@example.com',
      'u:p@example.com',
      'example.com?q',
      'example.com/?q',
      'example.com#f',
    ],
    ...[
      'example.com:0',
      'example.com:65536',
      'example.com:',
      'example.com:1x',
      'example.com:-1',
      'example.com:123456789012',
    ],
    ...[
      '-a.com',
      'a-.com',
      'a_b.com',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(127)}com`,
      `*.${'a.'.repeat(125)}com`,
    ],
    ...[
      'example.com//',
      'example.com//a',
      'example.com/a;b',
      'example.com/a,b',
      'example.com/%zz',
      'example.com/a\\b',
      'example.com/ä',
    ],
    ...[
      '*example.com',
      'ws://a.com',
      'data:',
      ' a.com',
      'a.com ',
      'https://u:p@a.com',
      'a.com/#x',
      'https://',
    ],
    `example.com/${'a'.repeat(2037)}`,
    `a.${Array(3).fill('a'.repeat(63)).join('.')}.${'a'.repeat(61)}`,
    ...['münchen.de', '[::1]', 'https:example.com', '//example.com', '/a', `example.com/${'a'.repeat(2048)}`],
  ];
  for (const expression of expressions)
    t.equal(isDomainExpression(expression), false, JSON.stringify(expression));
});

t.test('a hostile expression takes no noticeable time', async (t) => {
  const hostile = [
    `${'a-'.repeat(1000)}!`,
    `${'a.'.repeat(1000)}!`,
    `a.com/${'a/'.repeat(1000)}"`,
    `a.com${'/'.repeat(2000)}`,
  ];
  for (const expression of hostile) t.equal(isDomainExpression(expression), false);
});
