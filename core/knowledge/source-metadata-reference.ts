import type { TObject, TSchema } from '@sinclair/typebox';
import { sourceMetadata } from './source-metadata.js';

const introduction = `# Source metadata

\`sourceMetadata\` of a source (\`GET …/sources\`, \`GET …/sources/{documentId}\`) says what was read and how. Its fields depend on
the source's \`sourceType\`. Fields are added in new versions; a client ignores those that it does not know.

All of it is safe to show to whoever may see the source: it holds no credentials, no storage paths and no error texts of parsers or
databases. Strings that come from a site (\`finalUrl\`, \`contentType\`, \`etag\`, \`byline\` …) are what the site sent, without control characters, cut at 2,048:
escape them like any other text from outside.

A source appears with its first success. A page that cannot be renewed later keeps its content and gets \`lastFailure\`; the next
success takes it away. Why a first attempt failed stands in the job (\`GET …/jobs/{jobId}\`), as for every task.
`;

const typeOf = (schema: TSchema): string => {
  if (schema.type === 'array') return `array of ${typeOf(schema.items)}`;
  const type = [schema.type].flat().join(' or ');
  if (schema.type === 'object') return `object {${Object.keys(schema.properties).join(', ')}}`;
  if (!schema.enum) return type;
  const values = schema.enum.map((value: string | null) => (value === null ? 'null' : `\`${value}\``));
  return values.join(', ');
};

const row = (name: string, schema: TSchema, required: boolean): string =>
  `| \`${name}\` | ${typeOf(schema)} | ${required ? 'always' : 'sometimes'} | ${schema.description} | \`${JSON.stringify(schema.examples[0])}\` |`;

/** Generates docs/source-metadata.md. */
export function sourceMetadataReference(): string {
  const types: [string, TObject][] = Object.entries(sourceMetadata);
  const sections = types.map(([type, { description, properties, required = [] }]) =>
    [
      `## \`${type}\`: ${description}`,
      '',
      '| field | type | there | meaning | example |',
      '| --- | --- | --- | --- | --- |',
      ...Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name))),
    ].join('\n'),
  );
  return `${[introduction, ...sections].join('\n')}\n`
    .replaceAll(/\n## /g, '\n\n## ')
    .replaceAll(/\n{3,}/g, '\n\n');
}
