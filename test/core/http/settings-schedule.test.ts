import { type Agent, body, invalid, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { updateWorkspace } from '../../support/workspace.js';

const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });

const unset = { lastAt: null, nextAt: null };
const days = { every: 2, unit: 'days', hour: 3, timeZone: 'UTC' };

interface Shown {
  nextAt: number | null;
}

t.test('a schedule is replaced as a whole, and no part of the agent', async (t) => {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  const path = `${agent}/settings/schedule`;
  t.strictSame(await body(api.get(path)), unset);
  t.strictSame(await body(api.patch(path, { every: 2, unit: 'days' })), { ...days, ...unset });
  const berlin = { every: 90, unit: 'days', hour: 0, timeZone: 'Europe/Berlin' };
  t.strictSame(await body(api.patch(path, berlin)), { ...berlin, ...unset });
  t.strictSame(await body(api.patch(path, { every: 168, unit: 'hours' })), {
    every: 168,
    unit: 'hours',
    ...unset,
  });
  t.strictSame((await body(api.get<Agent>(agent))).settings, {});
  t.strictSame(await body(api.patch(path, { every: null })), unset);
});

t.test('the next moment is shown while auto-retrain is on', async (t) => {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  const path = `${agent}/settings/schedule`;
  await body(api.patch(`${agent}/settings/training`, { autoRetrainEnabled: true }));
  const day = 86_400;
  const soon = Math.floor(Date.now() / 1000);
  const byInterval = await body(api.get<Shown>(path));
  t.ok(Math.abs((byInterval.nextAt ?? 0) - soon - day) < 60, 'the interval of the configuration');
  const { nextAt } = await body(api.patch<Shown>(path, { every: 1, unit: 'days', hour: 5 }));
  t.ok(nextAt !== null && nextAt > soon && nextAt <= soon + day && nextAt % day === 5 * 3600);
  t.equal((await body(api.patch<Shown>(path, { every: 1, unit: 'days', hour: 5 }))).nextAt, nextAt);
  await body(api.patch(`${agent}/settings/training`, { autoRetrainEnabled: false }));
  t.equal((await body(api.get<Shown>(path))).nextAt, null);
});

t.test('all fields of one form belong together', async (t) => {
  const api = await service.client();
  const path = `/agents/${(await api.agent()).id}/settings/schedule`;
  invalid(t, await api.patch(path, {}), 'every');
  invalid(t, await api.patch(path, { unit: 'hours' }), 'every');
  invalid(t, await api.patch(path, { every: 5 }), 'unit');
  invalid(t, await api.patch(path, { every: null, unit: 'days', hour: 3 }), 'unit', 'hour');
  for (const every of [0, 169, 1.5, '5', true])
    invalid(t, await api.patch(path, { every, unit: 'hours' }), 'every');
  invalid(t, await api.patch(path, { every: 91, unit: 'days' }), 'every');
  invalid(t, await api.patch(path, { every: 5, unit: 'weeks' }), 'unit');
  invalid(t, await api.patch(path, { every: 5, unit: 'hours', hour: 3 }), 'hour');
  invalid(t, await api.patch(path, { every: 5, unit: 'hours', timeZone: 'UTC' }), 'timeZone');
  for (const hour of [-1, 24, null, '3'])
    invalid(t, await api.patch(path, { every: 5, unit: 'days', hour }), 'hour');
  for (const timeZone of ['Mars/Base', '+02:00', '', null])
    invalid(t, await api.patch(path, { every: 5, unit: 'days', timeZone }), 'timeZone');
  t.strictSame(await body(api.get(path)), unset);
});

t.test('without the plan feature, a schedule can only be removed', async (t) => {
  const { id, apiKey } = await service.workspace({ plan: 'starter' });
  const api = service.api(apiKey);
  const path = `/agents/${(await api.agent()).id}/settings/schedule`;
  refused(t, await api.patch(path, { every: 5, unit: 'hours' }), 403, 'SUBSCRIPTION_API_RESTRICTED_PLAN');
  t.strictSame(await body(api.patch(path, { every: null })), unset);
  await updateWorkspace(service.store.workspaces, id, { set: { 'features.autoRetrain': true } });
  t.strictSame(await body(api.patch(path, { every: 2, unit: 'days' })), { ...days, ...unset });
});

t.test('versions show the schedule apart and restore it', async (t) => {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  await body(api.patch(`${agent}/settings/schedule`, { every: 2, unit: 'days' }));
  await body(api.patch(`${agent}/settings/schedule`, { every: 7, unit: 'hours' }));
  const second = await body(api.get(`${agent}/versions/2`));
  t.match(second, {
    settings: {},
    apart: { schedule: days },
    changes: [{ field: 'schedule.every', after: 2 }],
  });
  t.strictSame((second as { settings: object }).settings, {});
  t.match(await body(api.post(`${agent}/versions/2/restore`)), {
    origin: 'restore',
    apart: { schedule: days },
  });
  t.strictSame(await body(api.get(`${agent}/settings/schedule`)), { ...days, ...unset });
  await body(api.post(`${agent}/versions/1/restore`));
  t.strictSame(await body(api.get(`${agent}/settings/schedule`)), unset);
});

t.test('only pages can be left out of the schedule', async (t) => {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  const { documentId } = await body(
    api.post<{ documentId: string }>(`${agent}/sources/text`, { title: 'Text', content: 'Content' }),
  );
  invalid(t, await api.patch(`${agent}/sources/${documentId}`, { schedule: 'never' }), 'schedule');
  invalid(t, await api.patch(`${agent}/sources/${documentId}`, { schedule: 'daily' }), 'schedule');
});
