import { applyOverrides } from '../../cli/overrides.js';
import t from '../support/t.js';

t.test('each setting accepts values of its type', async (t) => {
  const words = [
    'limits.agents=0',
    'limits.storageBytes=1000',
    'billingActive=false',
    'features.autoRetrain=true',
  ];
  t.same(applyOverrides({}, words), {
    limits: { agents: 0, storageBytes: 1000 },
    billingActive: false,
    features: { autoRetrain: true },
  });
});

t.test('keeps other overrides, removes one with "default", and stores nothing empty', async (t) => {
  const before = { limits: { agents: 2 }, features: { apiAccess: true, autoRetrain: false } };
  t.same(applyOverrides(before, ['limits.agents=default', 'features.apiAccess=default']), {
    features: { autoRetrain: false },
  });
  t.same(before.limits, { agents: 2 }, 'the overrides that came in are not changed');
});

t.test('rejects unknown names and invalid values, with the allowed ones', async (t) => {
  const wrong = [
    'limits.cheese=1',
    'limits=1',
    'constructor=true',
    '__proto__=true',
    'toString=true',
    'billingActive',
    '=1',
  ];
  for (const word of wrong)
    t.throws(
      () => applyOverrides({}, [word]),
      { code: 'OVERRIDE_INVALID', message: /limits\.agents, / },
      word,
    );
  for (const word of [
    'limits.agents=-1',
    'limits.agents=1.5',
    'limits.agents=',
    'limits.agents=9999999999999999',
  ])
    t.throws(() => applyOverrides({}, [word]), { code: 'OVERRIDE_INVALID', message: /whole number/ }, word);
  for (const word of ['billingActive=yes', 'features.apiAccess=1', 'features.apiAccess=TRUE'])
    t.throws(() => applyOverrides({}, [word]), { code: 'OVERRIDE_INVALID', message: /true or false/ }, word);
});
