import { isDeepStrictEqual } from 'node:util';
import { routes } from '../../../core/http/routes.js';
import { models } from '../../../core/schemas/models.js';
import { type ApiClient, body, walk } from '../../support/api-client.js';
import { mcpClient } from '../../support/mcp-client.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { visitorOf } from '../../support/visitors.js';

/* What two processes over one database promise of versions and drafts. */

interface Version {
  number: number;
  origin: string;
  changes: { field: string; before: unknown; after: unknown }[];
  settings: Record<string, unknown>;
  apart: Record<string, unknown>;
}

/** Values of the fields of each group. A patch has some of the fields; those in `whole` have all. */
const values: Record<string, Record<string, unknown[]>> = {
  ai: {
    model: [models[0], models[1]],
    instructionsPreset: ['sales-agent', 'customer-support'],
    instructionsPrompt: ['Be brief.', 'Be kind.', ''],
  },
  design: {
    title: ['Desk', 'Counter', 'Ünïcödé 🙂'],
    language: ['de', 'en'],
    appearance: ['Dark', 'Light'],
    primaryColor: ['#112233', '#445566'],
    primaryColorHeader: [true, false],
    initialMessages: [['Hello'], ['Hello', 'How are you?'], []],
    messagePlaceholder: ['Ask', 'Type here'],
    bubbleIconUrl: ['https://acme.com/bubble.png', null],
    profilePictureUrl: ['https://acme.com/face.png', null],
    hideBranding: [true, false],
    keepShowing: [true, false],
    prompts: [['Prices?'], ['Hours?', 'Prices?'], []],
  },
  security: {
    isPrivate: [true, false],
    rateLimit: [
      { maxMessages: 7, windowSeconds: 70, limitMessage: 'Later.' },
      { maxMessages: 9, windowSeconds: 90, limitMessage: 'Soon.' },
    ],
    allowedDomains: [
      { enabled: true, domains: ['https://acme.com'] },
      { enabled: false, domains: [] },
    ],
  },
  notifications: {
    dailyConversations: [true, false],
    dailyEmails: [true, false],
    quotaAlerts: [true, false],
  },
  training: { autoRetrainEnabled: [true, false] },
  evaluation: { afterTraining: [true, false] },
  share: { enabled: [true, false] },
  handover: {
    enabled: [true, false],
    waitSeconds: [60, 120],
    form: [null, { fields: [{ name: 'email', required: true }], intro: 'Leave your address.' }],
    unansweredMessage: ['Ask us.', null],
  },
};
const schedules = [
  { every: null },
  { every: 5, unit: 'hours' },
  { every: 2, unit: 'days', hour: 4, timeZone: 'Europe/Berlin' },
];

/** Returns the same numbers in each run, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function randomPatch(below: (n: number) => number): [group: string, sent: object] {
  const groups = [...Object.keys(values), 'schedule'];
  const group = groups[below(groups.length)] ?? '';
  if (group === 'schedule') return [group, schedules[below(schedules.length)] ?? {}];
  const fields = Object.entries(values[group] ?? {});
  const sure = below(fields.length);
  const chosen = fields.filter((_, n) => n === sure || below(3) === 0);
  return [group, Object.fromEntries(chosen.map(([field, all]) => [field, all[below(all.length)]]))];
}

async function start(t: Parameters<typeof startTestService>[0], engine: Engine) {
  const service = await startTestService(t, { engine });
  const second = await service.beside();
  const { id: workspaceId, apiKey } = await service.workspace();
  const clients: [ApiClient, ApiClient] = [service.api(apiKey), second.api(apiKey)];
  const stored = async (agentId: string) =>
    (await service.store.reads.agentWithSettings(workspaceId, agentId))?.settings;
  return { service, second, clients, stored };
}

await onEachEngine('a restore is exact for random histories over two processes', async (t, engine) => {
  const { service, clients, stored } = await start(t, engine);
  const below = numbers(46);
  for (let history = 0; history < 200; history += 1) {
    const { id } = await clients[0].agent();
    const at = `/agents/${id}`;
    const states = new Map<number, unknown>([[1, await stored(id)]]);
    let newest = 1;
    for (let step = 0; step < 5; step += 1) {
      const client = clients[below(2)] ?? clients[0];
      if (step === 2 || step === 4) {
        const wanted = 1 + below(newest);
        const { number } = await body(client.post<Version>(`${at}/versions/${wanted}/restore`));
        const now = await stored(id);
        if (!isDeepStrictEqual(now, states.get(wanted)))
          t.strictSame(now, states.get(wanted), `history ${history}: restore of version ${wanted}`);
        newest = number;
      } else {
        const [group, sent] = randomPatch(below);
        const answer = await client.patch(`${at}/settings/${group}`, sent);
        if (answer.status !== 200) t.fail(`${group} ${JSON.stringify(sent)}: ${answer.text}`);
        // None is deleted, so their number is that of the newest one.
        newest = await service.store.versions.count(id);
      }
      states.set(newest, await stored(id));
    }
  }
});

await onEachEngine(
  'publish, change, restore and discard at once: nothing is lost or halved',
  async (t, engine) => {
    const { clients, stored } = await start(t, engine);
    const [one, two] = clients;
    const drafted = { title: 'Drafted', messagePlaceholder: 'Drafted, too' };
    for (let round = 0; round < 10; round += 1) {
      const { id } = await one.agent();
      const at = `/agents/${id}`;
      await body(one.patch(`${at}/settings/ai`, { instructionsPrompt: 'First' }));
      await body(two.patch(`${at}/settings/design?draft=true`, drafted));
      await body(one.patch(`${at}/settings/ai?draft=true`, { instructionsPreset: 'sales-agent' }));
      const publishes = Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? one : two).post(`${at}/draft/publish`),
      );
      const others = [
        one.delete(`${at}/draft`),
        two.patch(`${at}/settings/notifications`, { quotaAlerts: false }),
        one.post(`${at}/versions/1/restore`),
        two.patch(`${at}/settings/security`, { isPrivate: true }),
      ];
      // In another order each time.
      const requests = round % 2 === 0 ? [...publishes, ...others] : [...others, ...publishes];
      await Promise.all(requests);
      const published = (await Promise.all(publishes)).map(({ status }) => status);
      const [discarded, changed, restored, closed] = (await Promise.all(others)).map(({ status }) => status);
      t.strictSame([changed, restored, closed], [200, 200, 200]);
      const wins = published.filter((status) => status === 200).length;
      t.equal(wins + (discarded === 200 ? 1 : 0), 1, 'either one publish or the discard');
      t.strictSame(new Set(published), new Set(wins === 1 ? [200, 404] : [404]));
      t.match(await body(one.get(`${at}/draft`)), { changes: [] });

      const versions = (await walk<Version>(one, `${at}/versions`, 100)).reverse();
      t.strictSame(
        versions.map(({ number }) => number),
        versions.map((_, n) => n + 1),
      );
      const live = new Map<string, unknown>();
      for (const { number, origin, changes } of versions) {
        for (const { field, before, after } of changes) {
          t.strictSame(before, live.get(field) ?? null, `version ${number} begins where the one before ends`);
          live.set(field, after);
        }
        if (origin === 'publish')
          t.strictSame(
            changes.map(({ field }) => field).sort(),
            ['ai.instructionsPreset', 'design.messagePlaceholder', 'design.title'],
            'the whole draft in one version',
          );
      }
      t.equal(versions.filter(({ origin }) => origin === 'publish').length, wins);
      t.ok(
        versions.some(({ changes }) => changes.some(({ field }) => field === 'notifications.quotaAlerts')),
      );
      t.ok(versions.some(({ changes }) => changes.some(({ field }) => field === 'security.isPrivate')));
      const last = await body(two.get<Version>(`${at}/versions/${versions.length}`));
      const agent = await body(one.get<{ settings: object }>(at));
      t.strictSame(last.settings, agent.settings, 'the newest version is live');
      t.ok(await stored(id));
    }
  },
);

/** Returns the response as text; of a stream of events without an end, the first ones. */
async function textAt(url: string, key: string | null): Promise<string> {
  const response = await fetch(url, { headers: key === null ? {} : { authorization: `Bearer ${key}` } });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? []).toString();
}

await onEachEngine('a draft leaves by its own routes alone, whoever asks', async (t, engine) => {
  const { service, second, clients } = await start(t, engine);
  const [api] = clients;
  const { id } = await api.agent();
  const at = `/agents/${id}`;
  const zebra = 'Only the draft says zebra.';
  const unknown = { message: 'What is unknown?', stream: false };
  const keyOf = async (scope: string, more: object = {}) =>
    (await body(api.post<{ secret: string }>('/keys', { name: scope, scope, ...more }))).secret;
  const full = await keyOf('full');
  await body(api.patch(`${at}/settings/share`, { enabled: true }));
  await body(api.patch(`${at}/settings/evaluation`, { afterTraining: true }));
  const { token } = await visitorOf(service, id);
  const source = await body(
    api.post<{ documentId: string }>(`${at}/sources/text`, { title: 'Hours', content: 'We open at nine.' }),
  );
  const questions = [{ question: 'When do you open?', unanswerable: true }];
  await body(api.post(`${at}/evaluation-questions`, { questions }));
  for (const [group, sent] of [
    ['ai', { instructionsPrompt: zebra }],
    ['design', { title: zebra, initialMessages: [zebra], prompts: [zebra], messagePlaceholder: zebra }],
    [
      'handover',
      { unansweredMessage: zebra, form: { fields: [{ name: 'email', required: true }], intro: zebra } },
    ],
    ['security', { rateLimit: { maxMessages: 1, windowSeconds: 3600, limitMessage: zebra } }],
  ] as const)
    await body(api.patch(`${at}/settings/${group}?draft=true`, sent));

  const answer = await body(
    api.post<{ id: string; metadata: { conversationId: string } }>(`${at}/chat`, unknown),
  );
  const run = await body(api.post<{ id: string }>(`${at}/evaluations`, {}));
  await body(api.post(`${at}/draft/chat`, unknown));
  const ofDraft = await body(api.post<{ id: string }>(`${at}/draft/evaluate`));
  const copy = await body(api.post<{ agentId: string }>(`${at}/copy`, { sources: true }));
  for (const [evaluation, what] of [run, ofDraft].map((one, n) => [one.id, n] as const))
    await until(`the end of evaluation ${what}`, async () => {
      const { status } = await body(api.get<{ status: string }>(`${at}/evaluations/${evaluation}`));
      return status === 'completed';
    });
  await until('the copy', async () => (await api.get(`/agents/${copy.agentId}`)).status === 200);

  const known: Record<string, string> = {
    agentId: id,
    documentId: source.documentId,
    conversationId: answer.metadata.conversationId,
    messageId: answer.id,
    evaluationId: run.id,
    number: '1',
    jobId: '1',
  };
  const callers: Record<string, string | null> = {
    full,
    limited: await keyOf('full', { agentIds: [id, copy.agentId] }),
    read: await keyOf('read'),
    chat: await keyOf('chat'),
    visitor: token,
    nobody: null,
  };
  const reads = routes.filter(({ method, id: name }) => method === 'GET' && name !== 'getDraft');
  for (const [caller, key] of Object.entries(callers)) {
    for (const { baseUrl } of [service, second]) {
      for (const agentId of [id, copy.agentId])
        for (const { id: name, path } of reads) {
          const place = path.replace(/:(\w+)/g, (_, parameter: string) =>
            parameter === 'agentId' ? agentId : (known[parameter] ?? 'unknown'),
          );
          const text = await textAt(`${baseUrl}/api/v2${place}`, key);
          if (/zebra/i.test(text)) t.fail(`${name} shows the draft to the caller ${caller}: ${text}`);
        }
      if (!['full', 'limited'].includes(caller)) {
        const shown = await textAt(`${baseUrl}/api/v2${at}/draft`, key);
        const group = await textAt(`${baseUrl}/api/v2${at}/settings/ai?draft=true`, key);
        const results = await textAt(`${baseUrl}/api/v2${at}/evaluations/${ofDraft.id}/results`, key);
        t.notMatch(shown + group + results, /zebra/i, caller);
      }
      for (const page of [`/widget/${id}`, `/chat/${id}`])
        t.notMatch(await textAt(baseUrl + page, key), /zebra/i, page);
    }
    if (key === null) continue;
    for (const query of ['', '?draft=true']) {
      const asked = await service.api(key).post(`${at}/chat${query}`, unknown);
      t.notMatch(asked.text, /zebra/i, `chat of the caller ${caller}`);
    }
    if (caller === 'visitor') continue;
    const completion = await fetch(`${second.baseUrl}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: id, messages: [{ role: 'user', content: 'What is unknown?' }] }),
    });
    t.notMatch(await completion.text(), /zebra/i, 'the OpenAI road');
    const mcp = await mcpClient(t, service.baseUrl, key);
    const told = await mcp
      .callTool({ name: 'ask', arguments: { question: 'What is unknown?', agent: id } })
      .then(JSON.stringify, String);
    t.notMatch(told, /zebra/i, 'MCP');
  }
  const { data } = await body(api.get<{ data: object[] }>('/audit?limit=100'));
  t.ok(data.length > 0);
  t.notMatch(JSON.stringify(data), /zebra/i);
  t.match(
    JSON.stringify(await body(clients[1].get(`${at}/draft`))),
    /zebra/i,
    'the other process has the draft',
  );
});
