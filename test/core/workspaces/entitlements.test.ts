import { allowsModel, entitlements, type Plan } from '../../../core/workspaces/entitlements.js';
import t from '../../support/t.js';

const plan: Plan = {
  name: 'p',
  limits: {
    agents: 2,
    members: 2,
    storageBytes: 100,
    visitorMessagesPerDay: 1,
    visitorStorageBytes: 1_000_000,
    sitePages: 1,
  },
  features: { apiAccess: true, autoRetrain: false, videoTranscription: false, removeBranding: true },
  models: ['m'],
};

t.test('overrides of an operator take precedence over the plan', async (t) => {
  const { name: _, ...all } = plan;
  t.strictSame(entitlements(plan, {}), all);
  t.strictSame(
    entitlements(plan, { limits: { agents: 0 }, features: { autoRetrain: true, removeBranding: false } }),
    {
      limits: {
        agents: 0,
        members: 2,
        storageBytes: 100,
        visitorMessagesPerDay: 1,
        visitorStorageBytes: 1_000_000,
        sitePages: 1,
      },
      features: { apiAccess: true, autoRetrain: true, videoTranscription: false, removeBranding: false },
      models: ['m'],
    },
  );
});

t.test('API access needs active billing, and billing alone is not enough', async (t) => {
  const access = (overrides: Parameters<typeof entitlements>[1], apiAccess = true) =>
    entitlements({ ...plan, features: { ...plan.features, apiAccess } }, overrides).features.apiAccess;
  t.equal(access({ billingActive: true }), true);
  t.equal(access({ billingActive: false }), false);
  t.equal(access({ billingActive: true }, false), false);
  t.equal(access({ features: { apiAccess: true } }, false), true);
  t.equal(access({ features: { apiAccess: true }, billingActive: false }, false), false);
});

t.test('models are those of the plan, or all', async (t) => {
  t.equal(allowsModel(['m'], 'm'), true);
  t.equal(allowsModel(['m'], 'n'), false);
  t.equal(allowsModel([], 'm'), false);
  t.equal(allowsModel('*', 'anything'), true);
});
