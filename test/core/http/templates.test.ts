import { ai } from '../../../core/agent-settings/ai.js';
import type { Agent } from '../../support/api-client.js';
import { body, invalid, type List } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';

interface Template {
  id: string;
  name: string;
  description: string;
  settings: Record<string, object>;
}

await onEachEngine('an agent begins with the settings of a template', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = service.api((await service.workspace()).apiKey);
  const { data } = await body(api.get<List<Template>>('/templates'));
  t.strictSame(
    data.map(({ id }) => id),
    ['support', 'shop', 'documentation', 'school', 'municipality'],
  );
  for (const { id: template, settings } of data) {
    t.notMatch(JSON.stringify(settings), /"model"/, template);
    const created = await body(api.post<Agent>('/agents', { name: template, template }));
    const agent = await body(api.get<Agent>(`/agents/${created.id}`));
    const { handover: apart, ...shown } = settings;
    t.strictSame(agent.settings, shown, template);
    t.strictSame(created.settings, shown);
    t.match(await body(api.get(`/agents/${created.id}/settings/handover`)), apart);
    // A change with the same values must not add a version.
    const prompt = ai.toBody(settings as never);
    if (Object.keys(prompt).length > 0)
      t.equal((await api.patch(`/agents/${created.id}/settings/ai`, prompt)).status, 200);
    const { data: versions } = await body(api.get<List<object>>(`/agents/${created.id}/versions`));
    t.match(versions, [{ number: 1, origin: 'create' }], 'the same settings are no new version');
  }
  invalid(t, await api.post('/agents', { name: 'x', template: 'zoo' }), 'template');
  t.strictSame((await body(api.post<Agent>('/agents', { name: 'x' }))).settings, {});
});
