import { openApi } from '../../../core/http/openapi/document.js';
import { body, type ErrorBody, invalid, refused } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const FACE = '\u{1F600}';
const SETTINGS_BYTES = 262_144;

async function fresh() {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  return { api, at: (group: string) => `${agent}/settings/${group}` };
}

/** As many domains of one length as fit into about `bytes` of JSON. */
const domainsOf = (bytes: number, length = 1000): string[] =>
  Array.from({ length: Math.floor(bytes / (length + 3)) }, (_, n) => `a.com/${n}`.padEnd(length, 'x'));

t.test('text settings at and above their limits, in characters', async (t) => {
  const { api, at } = await fresh();
  const limits = [
    ['ai', 'instructionsPrompt', 65_536, 'x'],
    ['ai', 'instructionsPrompt', 60_000, FACE],
    ['design', 'title', 1000, FACE],
    ['design', 'primaryColor', 255, FACE],
    ['design', 'bubbleColor', 255, FACE],
  ] as const;
  for (const [group, field, length, character] of limits) {
    const answer = await api.patch(at(group), { [field]: character.repeat(length) });
    t.equal(answer.status, 200, `${field}: ${length} characters fit`);
  }
  invalid(t, await api.patch(at('ai'), { instructionsPrompt: 'x'.repeat(65_537) }), 'instructionsPrompt');
  const long = { title: 'x'.repeat(1001), primaryColor: 'x'.repeat(256), bubbleColor: 'x'.repeat(256) };
  invalid(t, await api.patch(at('design'), long), 'title', 'primaryColor', 'bubbleColor');
});

t.test('accepts at most 1,000 domains of at most 2,048 characters', async (t) => {
  const { api, at } = await fresh();
  const patch = (domains: string[]) =>
    api.patch<ErrorBody>(at('security'), { allowedDomains: { enabled: true, domains } });
  t.equal((await patch(Array(1000).fill('a.com'))).status, 200);
  invalid(t, await patch(Array(1001).fill('a.com')), 'allowedDomains');
  t.equal((await patch(['a.com/'.padEnd(2048, 'x')])).status, 200);
  const several = { isPrivate: 1, allowedDomains: { enabled: true, domains: Array(1001).fill('a.com') } };
  invalid(t, await api.patch(at('security'), several), 'allowedDomains', 'isPrivate');
  const answer = await patch(['a.com', 'a.com/'.padEnd(2049, 'x')]);
  invalid(t, answer, 'allowedDomains');
  t.match(answer.body.error.details?.fieldErrors?.allowedDomains, [/^allowedDomains\.domains\[1\] must/]);
});

t.test('rejects oversized settings before fields that the plan does not include', async (t) => {
  const api = await service.client({ plan: 'starter' });
  const ai = `/agents/${(await api.agent()).id}/settings/ai`;
  const model = 'vendorB/familyB-opus-5';
  // Six bytes each as JSON.
  const instructionsPrompt = '\u0001'.repeat(65_536);
  invalid(t, await api.patch(ai, { model, instructionsPrompt }), 'instructionsPrompt');
  refused(t, await api.patch(ai, { model, instructionsPrompt: 'short' }), 403, 'CHAT_MODEL_NOT_ALLOWED');
  t.strictSame(await body(api.get(ai)), {});
});

t.test('oversized settings of an older version can be read, kept and reduced', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  const long = 'x'.repeat(400_000);
  await service.store.turns.run(id, null, async (turn) => turn.changeSettings({ title: long }));
  const design = `/agents/${id}/settings/design`;
  t.same(await body(api.get(design)), { title: long });
  invalid(t, await api.patch(`/agents/${id}/settings/ai`, { instructionsPrompt: 'x' }), 'instructionsPrompt');
  t.same(await body(api.patch(design, { title: 'short' })), { title: 'short' });
});

t.test('OpenAPI documents the same limits', async (t) => {
  const { components } = JSON.parse(JSON.stringify(openApi()));
  const { PatchAiSettings, PatchDesignSettings, PatchSecuritySettings } = components.schemas;
  t.equal(PatchAiSettings.properties.instructionsPrompt.maxLength, 65_536);
  t.equal(PatchDesignSettings.properties.title.maxLength, 1000);
  t.equal(PatchDesignSettings.properties.primaryColor.maxLength, 255);
  t.equal(PatchDesignSettings.properties.bubbleColor.maxLength, 255);
  const { domains } = PatchSecuritySettings.properties.allowedDomains.properties;
  t.equal(domains.maxItems, 1000);
  t.equal(domains.items.maxLength, 2048);
});

await onEachEngine(
  'the total size of all settings is limited, and the field above it is named',
  async (t, engine) => {
    const { client } = await startTestService(t, { engine });
    const api = await client();
    const agent = `/agents/${(await api.agent()).id}`;
    const at = (group: string) => `${agent}/settings/${group}`;
    const settings = async () => (await body(api.get<{ settings: object }>(agent))).settings;
    const size = async () => Buffer.byteLength(JSON.stringify(await settings()));

    await body(api.patch(at('security'), { allowedDomains: { enabled: true, domains: domainsOf(200_000) } }));
    await body(api.patch(at('ai'), { instructionsPrompt: 'x'.repeat(50_000) }));
    const before = await settings();
    const over = await api.patch<ErrorBody>(at('ai'), { instructionsPrompt: 'x'.repeat(65_000) });
    invalid(t, over, 'instructionsPrompt');
    t.match(over.body.error.details?.fieldErrors?.instructionsPrompt, [/262144 bytes/]);
    const domains = { enabled: true, domains: domainsOf(230_000) };
    const rateLimit = { maxMessages: 1, windowSeconds: 10, limitMessage: 'x'.repeat(500) };
    invalid(t, await api.patch(at('security'), { allowedDomains: domains, rateLimit }), 'allowedDomains');
    const design = { title: 'x', initialMessages: Array(5).fill(FACE.repeat(140)), prompts: ['a'] };
    const full = SETTINGS_BYTES - (await size());
    await body(api.patch(at('ai'), { instructionsPrompt: 'x'.repeat(50_000 + full) }));
    t.equal(await size(), SETTINGS_BYTES, 'the last byte can be used');
    invalid(t, await api.patch(at('design'), design), 'initialMessages');
    invalid(t, await api.patch(at('design'), { prompts: [] }), 'prompts');
    invalid(t, await api.patch(at('notifications'), { dailyEmails: true }), 'dailyEmails');
    await body(api.patch(at('ai'), { instructionsPrompt: 'x'.repeat(50_000) }));
    t.same(await settings(), before, 'what was refused has changed nothing');
  },
);
