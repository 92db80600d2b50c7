import { body, invalid } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const fresh = async (group: string) => {
  const api = await service.client();
  return { api, path: `/agents/${(await api.agent()).id}/settings/${group}` };
};

t.test('a locale is stored and returned in canonical form', async (t) => {
  const { api, path } = await fresh('design');
  for (const [language, canonical] of Object.entries({ 'en-US': 'en', ZH_hant_hk: 'zh-tw', fr: 'fr' })) {
    t.strictSame(await body(api.patch(path, { language })), { language: canonical }, language);
    t.strictSame(await body(api.get(path)), { language: canonical });
  }
  for (const language of ['', 'xx', '__proto__', 'x'.repeat(5000), 5, true, ['en']])
    invalid(t, await api.patch(path, { language }), 'language');
});

t.test('a domain expression is stored unchanged, or rejected', async (t) => {
  const { api, path } = await fresh('security');
  const patch = (expression: unknown) =>
    api.patch(path, { allowedDomains: { enabled: true, domains: [expression] } });
  for (const expression of ['*.Example.com', `example.com/${'a'.repeat(2036)}`])
    t.match(await body(patch(expression)), { allowedDomains: { domains: [expression] } });
  for (const expression of ['*', '', 'a.com;b.com', 'a.com\n', `example.com/${'a'.repeat(2037)}`])
    invalid(t, await patch(expression), 'allowedDomains');
});
