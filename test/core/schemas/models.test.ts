import { loadPlans } from '../../../config/load-plans.js';
import { models } from '../../../core/schemas/models.js';
import t from '../../support/t.js';

t.test('no model is listed twice, and plans name only existing models', async (t) => {
  t.equal(new Set(models).size, models.length);
  for (const { name, models: allowed } of loadPlans().values()) {
    if (allowed === '*') continue;
    for (const model of allowed)
      t.ok(
        models.some((known) => known === model),
        `${name}: ${model}`,
      );
  }
});
