import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type Api, apiOf } from '../../cli/api.js';
import { exportAgent } from '../../cli/archive/export-agent.js';
import { importAgent } from '../../cli/archive/import-agent.js';
import { readArchive } from '../../cli/archive/read-archive.js';
import { settingsGroups } from '../../core/agent-settings/groups.js';
import { newProfile } from '../../core/schemas/agent-profile.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { models } from '../../core/schemas/models.js';
import { body } from '../support/api-client.js';
import { startTestService } from '../support/service.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

interface Agent extends Record<string, unknown> {
  settings: JsonObject;
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A value for every field that clients set on the agent itself. */
const profile = { name: 'Support', url: 'https://acme.com/' };

/** A value other than the default for every field of every group, by the path of the group. */
const values: Record<string, JsonObject> = {
  ai: { model: models[1] ?? '', instructionsPreset: 'sales-agent', instructionsPrompt: 'Be short.' },
  security: {
    isPrivate: true,
    rateLimit: { maxMessages: 7, windowSeconds: 70, limitMessage: 'Later.' },
    allowedDomains: { enabled: true, domains: ['https://acme.com'] },
  },
  notifications: { dailyConversations: true, dailyEmails: false, quotaAlerts: false },
  training: { autoRetrainEnabled: true },
  evaluation: { afterTraining: true },
  share: { enabled: true },
  handover: {
    enabled: true,
    offer: 'always',
    hours: { timeZone: 'Europe/Berlin', days: { mon: [['09:00', '17:00']] } },
    waitSeconds: 60,
    form: {
      fields: [{ name: 'email', required: true }],
      intro: 'Leave your address.',
      thanks: 'Thank you.',
      consent: 'You may write to me.',
    },
    showNames: false,
    unansweredMessage: 'Ask us.',
  },
  schedule: { every: 2, unit: 'days', hour: 4, timeZone: 'Europe/Berlin' },
  design: {
    title: 'Ask us',
    language: 'de',
    appearance: 'Dark',
    primaryColor: '#112233',
    bubbleColor: '#445566',
    primaryColorHeader: true,
    position: 'bottom-left',
    showInitialMessageBubble: true,
    initialMessages: ['Hello', 'How are you?'],
    messagePlaceholder: 'Type here',
    bubbleIconUrl: 'https://acme.com/bubble.png',
    profilePictureUrl: 'https://acme.com/face.png',
    hideBranding: true,
    keepShowing: true,
    prompts: ['When are you open?'],
  },
};

/** Exports the agent, and imports the archive. */
async function copyOf(t: Test, client: Api, id: string) {
  const file = join(tempFolder(t), 'agent.zip');
  await exportAgent(client, `/agents/${id}`, createWriteStream(file), () => {});
  const archive = await readArchive(file);
  t.teardown(() => archive.close());
  return importAgent(client, archive, () => {});
}

t.test('an archive holds every field of an agent and of its settings', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  t.strictSame(Object.keys(profile).sort(), Object.keys(newProfile).sort());
  const { id } = await body(api.post<{ id: string }>('/agents', profile));
  for (const group of settingsGroups) {
    const sent = values[group.path] ?? {};
    t.strictSame(Object.keys(sent).sort(), Object.keys(group.body.properties).sort(), group.path);
    await body(api.patch(`/agents/${id}/settings/${group.path}`, sent));
  }

  const made = await copyOf(t, apiOf({ url: service.baseUrl, key: apiKey }), id);
  t.strictSame(made.leftOut, []);
  const { settings, ...agent } = await body(api.get<Agent>(`/agents/${made.id}`));
  t.match(agent, profile);
  t.strictSame(settings, (await body(api.get<Agent>(`/agents/${id}`))).settings);
  for (const group of settingsGroups)
    t.strictSame(
      await body(api.get(`/agents/${made.id}/settings/${group.path}`)),
      await body(api.get(`/agents/${id}/settings/${group.path}`)),
      group.path,
    );
  t.strictSame(await body(api.get(`/agents/${made.id}/settings/handover`)), values.handover);
  t.match(await body(api.get(`/agents/${made.id}/settings/schedule`)), values.schedule);
});

t.test('an archive holds an agent whose optional fields are not set', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent('Bare');
  const made = await copyOf(t, apiOf({ url: service.baseUrl, key: apiKey }), id);
  const { id: _, createdAt: __, ...copy } = await body(api.get<Agent>(`/agents/${made.id}`));
  t.strictSame(copy, { name: 'Bare', url: null, settings: {} });
});

t.test('pictures of an imported agent are its own', async (t) => {
  const service = await startTestService(t);
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const { id: stranger } = await api.agent();
  const add = (agent: string) =>
    body(api.post<{ url: string }>(`/agents/${agent}/pictures`, { data: PIXEL }));
  const own = await add(id);
  const foreign = await add(stranger);
  await body(api.patch(`${at}/settings/design`, { bubbleIconUrl: own.url, profilePictureUrl: own.url }));
  const shown = async (agent: string) =>
    (
      await body(
        api.get<{ branding: { bubbleIconUrl: string; profilePictureUrl: string } }>(
          `/agents/${agent}/settings/design`,
        ),
      )
    ).branding;
  const used = async () =>
    (await body(api.get<{ allowances: { storageBytes: { used: number } } }>('/workspace'))).allowances
      .storageBytes.used;
  const before = await used();

  const client = apiOf({ url: service.baseUrl, key: apiKey });
  const made = await copyOf(t, client, id);
  const { bubbleIconUrl, profilePictureUrl } = await shown(made.id);
  t.not(bubbleIconUrl, own.url);
  t.equal(bubbleIconUrl, profilePictureUrl);
  t.equal((await used()) - before, Buffer.from(PIXEL, 'base64').length, 'it counts as storage, once');
  await body(api.delete(at));
  const picture = await fetch(bubbleIconUrl);
  t.equal(Buffer.from(await picture.arrayBuffer()).toString('base64'), PIXEL);

  await body(api.patch(`/agents/${made.id}/settings/design`, { bubbleIconUrl: foreign.url }));
  const again = await copyOf(t, client, made.id);
  t.equal((await shown(again.id)).bubbleIconUrl, foreign.url, 'the URL of a picture of something else stays');
});
