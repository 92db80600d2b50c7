import { outputProblems } from '../../../core/http/validation/validate.js';
import { sourceMetadata } from '../../../core/knowledge/sources/source-metadata.js';
import t from '../../support/t.js';

t.test('every field has a description and a valid example', async (t) => {
  for (const schema of Object.values(sourceMetadata)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      t.match(field.description, /\w/, name);
      t.same(outputProblems(field, field.examples?.[0]), [], name);
    }
  }
});
