import { body, invalid, type List, refused } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

interface Version {
  number: number;
  origin: string;
  restored: number | null;
  actor: { type: string; label: string };
  changes: Change[];
  settings: Record<string, unknown>;
}

await onEachEngine('every change of the settings adds a version, and can be restored', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const list = async () => (await body(api.get<List<Version>>(`${at}/versions`))).data;
  const read = (number: number) => body(api.get<Version>(`${at}/versions/${number}`));
  const settings = async () => (await body(api.get<{ settings: object }>(at))).settings;
  const restore = (number: number | string) => api.post<Version>(`${at}/versions/${number}/restore`);

  t.match(await list(), [{ number: 1, origin: 'create', changes: [], actor: { type: 'key' } }]);
  const prompt = 'Answer in one sentence. '.repeat(20);
  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: prompt }));
  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: prompt }));
  await body(api.patch(`${at}/settings/design`, { title: 'Desk', prompts: ['Prices?'], appearance: 'Dark' }));
  const before = await settings();
  await body(
    api.patch(`${at}/settings/design`, { title: 'Counter', prompts: ['Hours?'], keepShowing: true }),
  );
  await body(api.patch(`${at}/settings/security`, { isPrivate: true }));

  const versions = await list();
  t.strictSame(
    versions.map(({ number, origin }) => [number, origin]),
    [5, 4, 3, 2, 1].map((number) => [number, number === 1 ? 'create' : 'patch']),
    'a change without effect adds none',
  );
  const [shown] = versions.find(({ number }) => number === 2)?.changes ?? [];
  t.equal(shown?.field, 'ai.instructionsPrompt');
  t.equal(shown?.before, null);
  t.equal([...String(shown?.after)].length, 200, 'the list cuts texts');
  t.equal((await read(2)).changes[0]?.after, prompt);
  t.match((await read(4)).changes.map(({ field }) => field).sort(), [
    'design.keepShowing',
    'design.prompts',
    'design.title',
  ]);
  t.strictSame((await read(3)).settings, before);

  const restored = await body(restore(3));
  t.match(restored, { number: 6, origin: 'restore', restored: 3 });
  t.strictSame(await settings(), before, 'all groups are as they were');
  t.equal((await body(restore(3))).number, 6, 'restoring what is there adds none');
  const used = await body(api.get<{ versionBytes: number }>('/workspace'));
  t.ok(used.versionBytes > prompt.length);

  for (const unknown of ['99', '0', 'x', '1e0']) {
    refused(t, await api.get(`${at}/versions/${unknown}`), 404, 'RESOURCE_NOT_FOUND');
    refused(t, await restore(unknown), 404, 'RESOURCE_NOT_FOUND');
  }
});

await onEachEngine('a deleted version leaves no trace in the next one', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const secret = 'The password of the till is 4711.';
  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: secret }));
  invalid(t, await api.delete(`${at}/versions/2`), 'number');
  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: 'Be kind.' }));
  t.strictSame(await body(api.delete(`${at}/versions/2`)), { deleted: true });
  refused(t, await api.delete(`${at}/versions/2`), 404, 'RESOURCE_NOT_FOUND');
  const { data } = await body(api.get<List<Version>>(`${at}/versions`));
  t.strictSame(
    data.map(({ number }) => number),
    [3, 1],
  );
  t.strictSame(data[0]?.changes, [{ field: 'ai.instructionsPrompt', before: null, after: 'Be kind.' }]);
  t.notMatch(JSON.stringify(await body(api.get(`${at}/versions/3`))), '4711');

  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: secret }));
  await body(api.patch(`${at}/settings/design`, { title: 'Desk' }));
  await body(api.patch(`${at}/settings/ai`, { instructionsPrompt: 'Be brief.' }));
  for (const number of [4, 5]) await body(api.delete(`${at}/versions/${number}`));
  t.notMatch(
    JSON.stringify(await body(api.get(`${at}/versions/6`))),
    '4711',
    'nor after a change of something else',
  );
});

await onEachEngine('the plan of today decides what can be restored', async (t, engine) => {
  const service = await startTestService(t, { engine, settings: { auth: { cacheTtlSeconds: 0 } } });
  const { apiKey, id: workspaceId } = await service.workspace({ plan: 'business' });
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  await body(api.patch(`${at}/settings/training`, { autoRetrainEnabled: true }));
  await body(api.patch(`${at}/settings/training`, { autoRetrainEnabled: false }));
  await service.store.workspaces.update(workspaceId, () => ({
    overrides: { features: { autoRetrain: false } },
  }));
  refused(t, await api.post(`${at}/versions/2/restore`), 403, 'SUBSCRIPTION_API_RESTRICTED_PLAN');
});
