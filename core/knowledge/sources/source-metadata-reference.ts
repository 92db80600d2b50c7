import type { TObject, TSchema } from '@sinclair/typebox';
import { sourceMetadata } from './source-metadata.js';

const introduction = `# Source metadata

\`sourceMetadata\` of a source (\`GET …/sources\`, \`GET …/sources/{documentId}\`) describes what was read and how. Its fields depend
on the source's \`sourceType\`. New versions may add fields; clients must ignore unknown fields.

All fields are safe to show to anyone with access to the source: they contain no credentials, no storage paths and no error texts of
parsers or databases. Strings that come from a site (\`finalUrl\`, \`contentType\`, \`etag\`, \`byline\` …) are unchanged except that
control characters are removed and the length is limited to 2,048: escape them like any other external text.

A source appears after its first success. A page that cannot be refreshed later keeps its content and gets \`lastFailure\`, which the
next success removes. If the first attempt fails, the job (\`GET …/jobs/{jobId}\`) shows the reason, as for every task.
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
      '| field | type | present | meaning | example |',
      '| --- | --- | --- | --- | --- |',
      ...Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name))),
    ].join('\n'),
  );
  return `${[introduction, ...sections].join('\n')}\n`
    .replaceAll(/\n## /g, '\n\n## ')
    .replaceAll(/\n{3,}/g, '\n\n');
}
