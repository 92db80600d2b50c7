import { Ajv2020 } from 'ajv/dist/2020.js';
import { plansSchema } from '../../../../config/plans.schema.js';
import { settingsSchema } from '../../../../config/settings.schema.js';
import { openAiRoutes } from '../../../../core/http/openai/openai.routes.js';
import { routes } from '../../../../core/http/routes.js';
import { outputProblems, validInput } from '../../../../core/http/validation/validate.js';
import { kindNames } from '../../../../core/ports/plugin.port.js';
import { builtIn } from '../../../../plugins/built-in.js';
import { pickPlugin } from '../../../../plugins/pick-plugin.js';
import t from '../../../support/t.js';

/*
 * The service compiles schemas on first use and does not validate them against the meta-schema; this test does, for
 * all of them.
 */

const meta = new Ajv2020({ strict: false });

for (const { method, path, query, body, responses } of [...routes, ...openAiRoutes]) {
  t.test(`${method} ${path}: its schemas compile`, async (t) => {
    for (const schema of [query, body]) {
      if (!schema) continue;
      t.equal(meta.validateSchema(schema), true, meta.errorsText());
      // Not an object: rejected with all problems named.
      t.throws(() => validInput(schema, null), { code: 'VALIDATION_INVALID_BODY' });
    }
    for (const schema of Object.values(responses)) {
      t.equal(meta.validateSchema(schema), true, meta.errorsText());
      t.type(outputProblems(schema, null), Array);
    }
  });
}

t.test('the schemas of the built-in plugins are valid JSON Schema', async (t) => {
  for (const kind of kindNames)
    for (const [name, load] of Object.entries(builtIn[kind])) {
      const picked = pickPlugin(await load(), kind);
      if ('problems' in picked) throw new Error(picked.problems.join());
      t.equal(
        meta.validateSchema(picked.plugin.optionsSchema),
        true,
        `${kind} ${name}: ${meta.errorsText()}`,
      );
    }
});

t.test('the schemas of settings and plans are valid JSON Schema', async (t) => {
  for (const schema of [settingsSchema, plansSchema])
    t.equal(meta.validateSchema(schema), true, meta.errorsText());
});
