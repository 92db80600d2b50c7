import { ConfigError } from '../../config/config-error.js';
import { loadPlans } from '../../config/load-plans.js';
import { allowsModel } from '../../core/workspaces/entitlements.js';
import t from '../support/t.js';

const smallModels = [
  'vendorA/familyA-6-luna',
  'vendorB/familyB-haiku-4-5',
  'vendorC/familyC-3.7-flash',
  'vendorA/familyA-5.4-mini',
  'vendorA/familyA-5.4-nano',
  'vendorC/familyC-3-flash-preview',
  'vendorC/familyC-3.6-flash',
];

t.test('the shipped plans are the agreed ones', async (t) => {
  const plans = loadPlans();
  t.same([...plans.keys()], ['free', 'starter', 'business']);
  t.equal(plans.get('free')?.features.apiAccess, false);
  t.same(plans.get('starter'), {
    name: 'starter',
    limits: {
      agents: 2,
      members: 200,
      storageBytes: 1_048_576,
      visitorMessagesPerDay: 1000,
      visitorStorageBytes: 10_485_760,
      sitePages: 200,
    },
    features: { apiAccess: true, autoRetrain: false, videoTranscription: false, removeBranding: false },
    models: smallModels,
  });
  const business = plans.get('business');
  t.same(business?.limits, {
    agents: 10_000,
    members: 200,
    storageBytes: 107_374_182_400,
    visitorMessagesPerDay: 100_000,
    visitorStorageBytes: 10_737_418_240,
    sitePages: 10_000,
  });
  t.same(new Set(Object.values(business?.features ?? {})), new Set([true]));
  t.ok(allowsModel(business?.models ?? [], 'vendorB/familyB-opus-5.5'));
});

t.test('plans are frozen', async (t) => {
  t.throws(() => Object.assign(loadPlans().get('free')?.features ?? {}, { apiAccess: true }), TypeError);
});

t.test('lists all mistakes in the plans', async (t) => {
  const plan = {
    limits: { agents: -1, storageByte: 5 },
    features: { apiAccess: 'yes', autoRetrain: true, videoTranscription: true, removeBranding: true },
    models: ['vendorA/none'],
  };
  const folder = t.testdir({ 'plans.json': JSON.stringify({ 'No Name': plan, pro: plan }), 'bad.json': '{' });
  const problems = (file: string): string => {
    try {
      loadPlans(`${folder}/${file}`);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  };
  const message = problems('plans.json');
  for (const line of [
    'business is missing',
    'No Name is not a valid name',
    'pro.limits.agents must be >= 0',
    'pro.limits.storageByte is not known (did you mean storageBytes?)',
    'pro.limits.storageBytes is missing',
    'pro.features.apiAccess must be boolean',
    'pro.models.0 must be one of vendorA/familyA-6-astra',
  ])
    t.ok(message.includes(`config/plans.json: ${line}`), line);
  t.match(problems('bad.json'), /config\/plans\.json: the file is not valid JSON at line 1/);
  t.match(problems('none.json'), /config\/plans\.json: the file cannot be read/);
});
