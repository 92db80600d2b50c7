import type { Test } from 'tap';
import { type Agent, body, invalid } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const FACE = '\u{1F600}';

async function fresh(t: Test, options: Parameters<typeof service.client>[0] = {}) {
  const api = await service.client(options);
  const { id } = await api.agent();
  const path = `/agents/${id}/settings/design`;
  return {
    api,
    agent: `/agents/${id}`,
    path,
    read: () => body(api.get<Record<string, unknown>>(path)),
    patch: (sent: object) => body(api.patch<Record<string, unknown>>(path, sent)),
    refuses: async (sent: object, ...fields: string[]) => invalid(t, await api.patch(path, sent), ...fields),
  };
}

t.test('stores and returns every field in its group', async (t) => {
  const { api, agent, read, patch } = await fresh(t);
  const all = {
    ...{
      title: 'T',
      language: 'en',
      appearance: 'Dark',
      primaryColor: '#fff',
      bubbleColor: 'red',
      primaryColorHeader: true,
    },
    ...{
      position: 'bottom-left',
      showInitialMessageBubble: false,
      initialMessages: ['a', 'b'],
      messagePlaceholder: 'p',
    },
    ...{
      bubbleIconUrl: 'https://example.com/i.png',
      profilePictureUrl: 'http://example.com/p',
      hideBranding: true,
    },
    ...{ keepShowing: true, prompts: ['x', 'y'] },
  };
  const stored = {
    ...{ title: 'T', language: 'en', position: 'bottom-left' },
    branding: {
      ...{ appearance: 'Dark', primaryColor: '#fff', bubbleColor: 'red', primaryColorHeader: true },
      ...{
        bubbleIconUrl: 'https://example.com/i.png',
        profilePictureUrl: 'http://example.com/p',
        hideBranding: true,
      },
    },
    conversation: {
      initialMessages: ['a', 'b'],
      messagePlaceholder: 'p',
      showInitialMessageBubble: false,
      defaultPrompts: { prompts: ['x', 'y'], enabled: true, keepShowing: true },
    },
  };
  t.same(await patch(all), stored);
  t.same(await read(), stored);
  t.same((await body(api.get<Agent>(agent))).settings, stored);
});

t.test('each field alone changes nothing else', async (t) => {
  const { read, patch } = await fresh(t);
  await patch({ appearance: 'Light', messagePlaceholder: 'p', keepShowing: false });
  await patch({ primaryColorHeader: false });
  await patch({ initialMessages: ['hello'] });
  await patch({ position: 'bottom-right' });
  t.same(await read(), {
    position: 'bottom-right',
    branding: { appearance: 'Light', primaryColorHeader: false },
    conversation: {
      messagePlaceholder: 'p',
      initialMessages: ['hello'],
      defaultPrompts: { keepShowing: false },
    },
  });
});

t.test('PATCH returns the full settings object, GET the design groups', async (t) => {
  const { api, agent, read, patch } = await fresh(t);
  await body(api.patch(`${agent}/settings/ai`, { instructionsPrompt: 'x' }));
  await body(api.patch(`${agent}/settings/security`, { isPrivate: false }));
  t.same(await patch({ title: 'T' }), {
    title: 'T',
    ai: { instructionsPrompt: 'x' },
    security: { isPrivate: false },
  });
  t.same(await read(), { title: 'T' });
});

t.test('null clears a field where allowed, and only there', async (t) => {
  const { read, patch, refuses } = await fresh(t);
  t.same(
    await patch({ language: null, bubbleIconUrl: null, profilePictureUrl: null }),
    {},
    'clearing nothing is fine',
  );
  await patch({
    language: 'de',
    bubbleIconUrl: 'https://a.b/',
    profilePictureUrl: 'https://a.b/',
    title: 'T',
  });
  await patch({ language: null, bubbleIconUrl: null });
  t.same(await read(), { title: 'T', branding: { profilePictureUrl: 'https://a.b/' } });
  await patch({ profilePictureUrl: null });
  t.same(await read(), { title: 'T' });
  const others = [
    'title',
    'appearance',
    'primaryColor',
    'bubbleColor',
    'primaryColorHeader',
    'position',
    'showInitialMessageBubble',
  ];
  for (const field of [
    ...others,
    'initialMessages',
    'messagePlaceholder',
    'hideBranding',
    'keepShowing',
    'prompts',
  ]) {
    await refuses({ [field]: null }, field);
  }
});

t.test('accepts at most five initial messages of 140 characters, as a list or as lines', async (t) => {
  const { patch, refuses } = await fresh(t);
  const stored = async (initialMessages: unknown) =>
    ((await patch({ initialMessages })).conversation as { initialMessages?: string[] } | undefined)
      ?.initialMessages;
  const long = FACE.repeat(140);
  t.same(await stored([' a ', '', '  ', 'b']), ['a', 'b']);
  t.same(await stored([`  ${long}\n`, 'b', 'c', 'd', 'e']), [long, 'b', 'c', 'd', 'e']);
  t.same(await stored([]), []);
  t.same(await stored(['a\nb']), ['a\nb'], 'a message of the list form may have several lines');
  t.same(await stored('a\n\n b \r\n\t\nc'), ['a', 'b', 'c']);
  t.same(await stored(`\n\n${long}\n${'\n'.repeat(50)}b\nc\nd\ne\n`), [long, 'b', 'c', 'd', 'e']);
  t.same(await stored(''), []);
  const bad = [
    ['a', 'b', 'c', 'd', 'e', 'f'],
    ['a', '', '', '', '', ''],
    'a\nb\nc\nd\ne\nf',
    [`${long}x`],
    `a\n${long}x`,
    5,
    {},
    [5],
    [['a']],
    [null],
  ];
  for (const initialMessages of bad) await refuses({ initialMessages }, 'initialMessages');
});

t.test('accepts at most four default prompts of 80 characters; `enabled` is false without any', async (t) => {
  const { read, patch, refuses } = await fresh(t);
  const stored = async (sent: object) =>
    ((await patch(sent)).conversation as { defaultPrompts: object }).defaultPrompts;
  const long = FACE.repeat(80);
  t.same(await stored({ prompts: [' a ', '', ' ', `${long} `] }), { prompts: ['a', long], enabled: true });
  t.same(await stored({ keepShowing: true }), { prompts: ['a', long], enabled: true, keepShowing: true });
  t.same(await stored({ prompts: [' ', ''] }), { prompts: [], enabled: false, keepShowing: true });
  t.same(await stored({ prompts: ['a', 'b', 'c', 'd'] }), {
    prompts: ['a', 'b', 'c', 'd'],
    enabled: true,
    keepShowing: true,
  });
  t.same(await stored({ prompts: [] }), { prompts: [], enabled: false, keepShowing: true });
  for (const prompts of [['a', 'b', 'c', 'd', 'e'], ['', '', '', '', ''], [`${long}x`], 'a', [1], [null], {}])
    await refuses({ prompts }, 'prompts');
  await refuses({ enabled: true });
  t.same(await read(), {
    conversation: { defaultPrompts: { prompts: [], enabled: false, keepShowing: true } },
  });
});

t.test('trims the placeholder and accepts at most 100 characters', async (t) => {
  const { patch, refuses } = await fresh(t);
  for (const text of [` ${FACE.repeat(100)}\n`, '', '  ', 'x']) {
    t.same(await patch({ messagePlaceholder: text }), { conversation: { messagePlaceholder: text.trim() } });
  }
  for (const messagePlaceholder of [FACE.repeat(101), 5, ['x']])
    await refuses({ messagePlaceholder }, 'messagePlaceholder');
});

t.test('branding can only be hidden if the plan allows it; otherwise false is stored', async (t) => {
  const [starter, business] = [await fresh(t, { plan: 'starter' }), await fresh(t)];
  t.same(await starter.patch({ hideBranding: true }), { branding: { hideBranding: false } });
  t.same(await starter.patch({ hideBranding: false }), { branding: { hideBranding: false } });
  t.same(await business.patch({ hideBranding: true }), { branding: { hideBranding: true } });
  t.same(await business.patch({ hideBranding: false }), { branding: { hideBranding: false } });
  const exception = await fresh(t, { plan: 'starter', set: { 'features.removeBranding': true } });
  t.same(await exception.patch({ hideBranding: true }), { branding: { hideBranding: true } });
});

t.test('names all invalid values at once and stores nothing', async (t) => {
  const { read, refuses } = await fresh(t);
  await refuses(
    { title: 1, language: 'xx', appearance: 'dark', primaryColor: 1, bubbleColor: false },
    'title',
    'language',
    'appearance',
    'primaryColor',
    'bubbleColor',
  );
  await refuses(
    { title: 'good', primaryColorHeader: 'true', position: 'top', showInitialMessageBubble: 1 },
    'primaryColorHeader',
    'position',
    'showInitialMessageBubble',
  );
  await refuses({ hideBranding: 'yes', keepShowing: 0 }, 'hideBranding', 'keepShowing');
  const long = (length: number) => 'https://example.com/'.padEnd(length, 'x');
  for (const field of ['bubbleIconUrl', 'profilePictureUrl']) {
    for (const url of [
      '',
      'x',
      '/i.png',
      'ftp://a.b/',
      'data:image/png;base64,AA',
      'javascript:x',
      ' https://a.b',
      long(2049),
      5,
    ]) {
      await refuses({ [field]: url }, field);
    }
  }
  for (const sent of [{}, { branding: { appearance: 'Dark' } }, { conversation: {} }, { ai: {} }])
    await refuses(sent);
  t.same(await read(), {});
});
