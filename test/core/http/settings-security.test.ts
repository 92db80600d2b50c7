import type { Test } from 'tap';
import { body, type ErrorBody, invalid } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);

async function fresh(t: Test) {
  const api = await service.client();
  const path = `/agents/${(await api.agent()).id}/settings/security`;
  return {
    read: () => body(api.get(path)),
    patch: (sent: object) => body(api.patch(path, sent)),
    refuses: async (sent: object, ...fields: string[]) => invalid(t, await api.patch(path, sent), ...fields),
    messages: async (sent: object) =>
      (await api.patch<ErrorBody>(path, sent)).body.error.details?.fieldErrors,
  };
}

const rateLimit = { maxMessages: 5, windowSeconds: 60, limitMessage: 'Slow down.' };

t.test('accepts each of the three parts alone, and all together', async (t) => {
  const { read, patch } = await fresh(t);
  const allowedDomains = { enabled: true, domains: ['example.com', '*.example.com'] };
  t.same(await patch({ isPrivate: true }), { isPrivate: true });
  t.same(await patch({ rateLimit: { ...rateLimit, unknown: 1 } }), { isPrivate: true, rateLimit });
  t.same(await patch({ allowedDomains }), { isPrivate: true, rateLimit, allowedDomains });
  t.same(await patch({ isPrivate: false, allowedDomains: { enabled: false, domains: [] } }), {
    isPrivate: false,
    rateLimit,
    allowedDomains: { enabled: false, domains: [] },
  });
  t.same(await read(), { isPrivate: false, rateLimit, allowedDomains: { enabled: false, domains: [] } });
});

t.test('rate limits at and beyond their limits', async (t) => {
  const { patch, refuses } = await fresh(t);
  const face = '\u{1F600}';
  const good = [
    { maxMessages: 1 },
    { maxMessages: 100 },
    { windowSeconds: 10 },
    { windowSeconds: 3600 },
    { limitMessage: 'x' },
    { limitMessage: face.repeat(500) },
    { limitMessage: ' ' },
  ];
  for (const part of good)
    t.same(await patch({ rateLimit: { ...rateLimit, ...part } }), { rateLimit: { ...rateLimit, ...part } });
  const bad = [
    ...[
      { maxMessages: 0 },
      { maxMessages: 101 },
      { maxMessages: 0.99 },
      { maxMessages: -1 },
      { maxMessages: '5' },
      { maxMessages: null },
    ],
    ...[{ windowSeconds: 9 }, { windowSeconds: 9.999 }, { windowSeconds: 3601 }, { windowSeconds: true }],
    ...[
      { limitMessage: '' },
      { limitMessage: face.repeat(501) },
      { limitMessage: null },
      { limitMessage: 5 },
    ],
  ];
  for (const part of bad) await refuses({ rateLimit: { ...rateLimit, ...part } }, 'rateLimit');
  for (const missing of Object.keys(rateLimit))
    await refuses({ rateLimit: { ...rateLimit, [missing]: undefined } }, 'rateLimit');
  for (const value of [null, {}, [], 'x', 5, true]) await refuses({ rateLimit: value }, 'rateLimit');
});

t.test('messages about nested values contain their path', async (t) => {
  const { messages } = await fresh(t);
  const sent = {
    rateLimit: { maxMessages: 500, windowSeconds: 5 },
    allowedDomains: { enabled: true, domains: ['ok.com', 'a b'] },
    isPrivate: 1,
  };
  t.match(await messages(sent), {
    rateLimit: [
      'rateLimit.limitMessage is required',
      'rateLimit.maxMessages must be <= 100',
      'rateLimit.windowSeconds must be >= 10',
    ],
    allowedDomains: [/^allowedDomains\.domains\[1\] must be/],
    isPrivate: ['must be boolean'],
  });
});

t.test('allowed domains need both fields, and an entry if they are enabled', async (t) => {
  const { patch, refuses } = await fresh(t);
  t.same(await patch({ allowedDomains: { enabled: false, domains: ['a.com'] } }), {
    allowedDomains: { enabled: false, domains: ['a.com'] },
  });
  const bad = [
    { enabled: true, domains: [] },
    { enabled: true },
    { domains: ['a.com'] },
    {},
    null,
    [],
    ['a.com'],
    { enabled: 'true', domains: ['a.com'] },
  ];
  for (const value of bad) await refuses({ allowedDomains: value }, 'allowedDomains');
  for (const domains of [[''], ['a.com', ''], [null], [5], 'a.com', null, { 0: 'a.com' }]) {
    await refuses({ allowedDomains: { enabled: true, domains } }, 'allowedDomains');
    await refuses({ allowedDomains: { enabled: false, domains } }, 'allowedDomains');
  }
});

t.test('a rejection stores nothing; unknown fields do not count', async (t) => {
  const { read, refuses } = await fresh(t);
  await refuses({ isPrivate: true, rateLimit: { ...rateLimit, maxMessages: 0 } }, 'rateLimit');
  await refuses({ isPrivate: 'true' }, 'isPrivate');
  await refuses({ isPrivate: null }, 'isPrivate');
  for (const sent of [{}, { isprivate: true }, { security: { isPrivate: true } }]) await refuses(sent);
  t.same(await read(), {});
});
