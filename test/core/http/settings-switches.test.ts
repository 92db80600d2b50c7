import { type Agent, body, invalid, refused } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { updateWorkspace } from '../../support/workspace.js';

const service = await startTestService(t, { settings: { auth: { cacheTtlSeconds: 0 } } });

t.test('notifications: returns only what was set', async (t) => {
  const api = await service.client();
  const path = `/agents/${(await api.agent()).id}/settings/notifications`;
  t.strictSame(await body(api.get(path)), {});
  t.strictSame(await body(api.patch(path, { dailyConversations: true })), { dailyConversations: true });
  t.strictSame(await body(api.patch(path, { dailyEmails: false, quotaAlerts: false, x: 1 })), {
    dailyConversations: true,
    dailyEmails: false,
    quotaAlerts: false,
  });
  t.strictSame(await body(api.patch(path, { dailyConversations: false })), {
    dailyConversations: false,
    dailyEmails: false,
    quotaAlerts: false,
  });
  for (const field of ['dailyConversations', 'dailyEmails', 'quotaAlerts']) {
    for (const value of [null, 'true', 0, 1, [], {}])
      invalid(t, await api.patch(path, { [field]: value }), field);
  }
  invalid(
    t,
    await api.patch(path, { dailyConversations: 1, dailyEmails: 2, quotaAlerts: 3 }),
    'dailyConversations',
    'dailyEmails',
    'quotaAlerts',
  );
  for (const sent of [{}, { weekly: true }, { notification: { dailyEmails: true } }])
    invalid(t, await api.patch(path, sent));
});

t.test('training: the switch is required', async (t) => {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  const path = `${agent}/settings/training`;
  t.strictSame(await body(api.get(path)), {});
  for (const autoRetrainEnabled of [true, false]) {
    t.strictSame(await body(api.patch(path, { autoRetrainEnabled, x: 1 })), { autoRetrainEnabled });
    t.strictSame(await body(api.get(path)), { autoRetrainEnabled });
    t.strictSame((await body(api.get<Agent>(agent))).settings, { training: { autoRetrainEnabled } });
  }
  for (const sent of [
    {},
    { enabled: true },
    { autoRetrainEnabled: null },
    { autoRetrainEnabled: 'true' },
    { autoRetrainEnabled: 1 },
  ]) {
    invalid(t, await api.patch(path, sent), 'autoRetrainEnabled');
  }
});

t.test('without the plan feature, auto-retrain can be disabled but not enabled', async (t) => {
  const { id, apiKey } = await service.workspace({ plan: 'starter' });
  const api = service.api(apiKey);
  const path = `/agents/${(await api.agent()).id}/settings/training`;
  refused(t, await api.patch(path, { autoRetrainEnabled: true }), 403, 'SUBSCRIPTION_API_RESTRICTED_PLAN');
  t.strictSame(await body(api.get(path)), {});
  t.strictSame(await body(api.patch(path, { autoRetrainEnabled: false })), { autoRetrainEnabled: false });
  await updateWorkspace(service.store.workspaces, id, { set: { 'features.autoRetrain': true } });
  t.strictSame(await body(api.patch(path, { autoRetrainEnabled: true })), { autoRetrainEnabled: true });
});
