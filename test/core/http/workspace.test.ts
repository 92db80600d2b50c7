import { currentModels, models } from '../../../core/schemas/models.js';
import { body, invalid, refused } from '../../support/api-client.js';
import { chatWith } from '../../support/chat.js';
import { scriptedAnswerer } from '../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { updateWorkspace } from '../../support/workspace.js';

interface Counts {
  answers: number;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}

interface Workspace {
  id: string;
  plan: string;
  features: Record<string, boolean>;
  models: string[];
  allowances: Record<'agents' | 'storageBytes' | 'visitorMessages', { used: number; limit: number }>;
  usage: {
    startDay: string;
    endDay: string;
    totals: Counts;
    counters: (Counts & { day: string; agentId: string; model: string })[];
    truncated?: true;
  };
}

const DAY_MS = 86_400_000;

await onEachEngine('a key shows its workspace: plan, limits and usage', async (t, engine) => {
  const {
    workspace,
    api: as,
    store,
  } = await startTestService(t, {
    engine,
    settings: { auth: { cacheTtlSeconds: 0 } },
  });
  const { id, apiKey } = await workspace({ plan: 'starter', set: { 'limits.agents': 2 } });
  const api = as(apiKey);
  const show = () => body(api.get<Workspace>('/workspace'));
  const empty = await show();
  t.match(empty, {
    id,
    plan: 'starter',
    features: { apiAccess: true, autoRetrain: false },
    allowances: {
      agents: { used: 0, limit: 2 },
      storageBytes: { used: 0, limit: 1_048_576 },
      visitorMessages: { used: 0, limit: 1000 },
    },
    usage: { totals: { answers: 0, credits: 0, inputTokens: 0, outputTokens: 0 }, counters: [] },
  });
  t.ok(empty.models.length > 0 && empty.models.length < models.length, 'only models of the plan');
  const agent = await api.agent();
  await api.post(`/agents/${agent.id}/sources/text`, { title: 'Hours', content: 'Open at nine.' });
  t.match(await show(), { allowances: { agents: { used: 1 }, storageBytes: { used: 13 } } });
  await updateWorkspace(store.workspaces, id, { plan: 'business', set: { 'limits.agents': 0 } });
  const changed = await show();
  t.match(changed, { plan: 'business', allowances: { agents: { used: 1, limit: 0 } } });
  t.strictSame(
    changed.models.filter((model) => currentModels.some((known) => known === model)),
    [...currentModels],
  );
});

await onEachEngine('credits are counted by day, agent and model', async (t, engine) => {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  let now = Date.now();
  const today = day(now);
  const service = await startTestService(t, {
    engine,
    answerer: scriptedAnswerer(),
    clock: { now: () => now },
  });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const [one, two] = [await chatWith(api), await chatWith(api)];
  now -= 2 * DAY_MS;
  await one.say('Long ago');
  now += 2 * DAY_MS;
  await one.say('Now');
  await one.say('Again');
  await two.say('Now');
  await (await chatWith(await service.client())).say('Somebody else');
  const show = (query = '') => body(api.get<Workspace>(`/workspace${query}`));
  const { usage } = await show();
  const model = 'vendorB/familyB-haiku-4-5';
  const counted = (agentId: string, on: string, answers: number) => ({
    day: on,
    agentId,
    model,
    answers,
    credits: answers,
    inputTokens: 10 * answers,
    outputTokens: 5 * answers,
  });
  t.equal(usage.endDay, today);
  t.equal(usage.startDay, day(now - 29 * DAY_MS));
  t.strictSame(usage.totals, { answers: 4, credits: 4, inputTokens: 40, outputTokens: 20 });
  const ofToday = [counted(one.agentId, today, 2), counted(two.agentId, today, 1)].sort((a, b) =>
    a.agentId < b.agentId ? -1 : 1,
  );
  t.strictSame(usage.counters, [...ofToday, counted(one.agentId, day(now - 2 * DAY_MS), 1)]);
  const last = (await show('?days=1')).usage;
  t.equal(last.startDay, today);
  t.strictSame(last.counters, ofToday);
  t.equal(last.totals.answers, 3);
  await api.delete(`/agents/${two.agentId}`);
  t.equal((await show()).usage.totals.answers, 4, 'what a deleted agent used stays counted');
});

t.test('rejects invalid periods', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  for (const days of ['0', '93', 'x', '1.5']) invalid(t, await api.get(`/workspace?days=${days}`), 'days');
  refused(t, await service.api(null).get('/workspace'), 401, 'AUTH_MISSING_API_KEY');
  const free = await service.client({ plan: 'free' });
  refused(t, await free.get('/workspace'), 403, 'SUBSCRIPTION_PLAN_REQUIRED');
  refused(t, await api.post('/workspace', {}), 404, 'RESOURCE_NOT_FOUND');
});
