import { readFileSync } from 'node:fs';
import t from 'tap';
import { sourceMetadata } from '../../../core/schemas/source-metadata.js';
import { sourceMetadataReference } from '../../../core/schemas/source-metadata-reference.js';
import { outputProblems } from '../../../core/schemas/validate.js';

const doc = new URL('../../../docs/source-metadata.md', import.meta.url);

t.test(
  'docs/source-metadata.md is current (else: node --import tsx core/schemas/print-source-metadata.ts > docs/source-metadata.md)',
  async (t) => t.equal(readFileSync(doc, 'utf8'), sourceMetadataReference()),
);

t.test('every field has a meaning and an example that fits it', async (t) => {
  for (const schema of Object.values(sourceMetadata)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      t.match(field.description, /\w/, name);
      t.same(outputProblems(field, field.examples?.[0]), [], name);
    }
  }
});
