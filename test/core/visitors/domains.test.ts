import { matchesDomain, withoutPath } from '../../../core/visitors/domains.js';
import t from '../../support/t.js';
import { domainCases } from './domain-cases.js';

t.test('domain expressions match as in a browser', async (t) => {
  for (const { expression, origin, own, matches } of domainCases)
    t.equal(matchesDomain(expression, origin, own), matches, `${expression} and ${origin} (${own})`);
});

t.test('an origin that is none of a web page matches nothing', async (t) => {
  for (const origin of ['null', '', 'file://', 'chrome-extension://abc', 'acme.com', 'ftp://acme.com'])
    t.notOk(matchesDomain('acme.com', origin, 'http'), origin);
});

t.test('an expression that is no host source is not passed on', async (t) => {
  t.equal(withoutPath('https://Acme.com:8443/docs/'), 'https://acme.com:8443');
  for (const wrong of ["a.com;script-src 'unsafe-inline'", 'a.com,b.com', '*', "'self'", 'https://a.com?x'])
    t.equal(withoutPath(wrong), null, wrong);
});
