import { checkSettings } from './check-settings.js';
import { credentialOf } from './plugin-credentials.js';
import { settingKeys } from './setting-keys.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string => `\`${text}\``;
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;

function settingRows(defaults: ReadonlyMap<string, unknown>): string[] {
  return settingKeys.map(({ path, env, secret, expects, description }) =>
    row(
      code(path),
      secret ? `${code(env)} (secret)` : code(env),
      expects,
      code(JSON.stringify(defaults.get(path))),
      description,
    ),
  );
}

const credentialRows = (): string[] =>
  Object.entries(credentialOf).map(([kind, { name, plugin, option, expects }]) => {
    const effect = `selects ${code(plugin)} as ${kind}, and is its option ${code(option)}`;
    return row(`${code(name)} (secret)`, expects, effect);
  });

/**
 * Returns the text of docs/configuration.md, generated from the schema and the defaults (the content of
 * default.json).
 */
export function configurationReference(defaults: unknown): string {
  const { valid } = checkSettings(defaults, { complete: true });
  return `# Configuration

Settings come from three places; the later one wins: \`config/default.json\` (shipped), the JSON file that \`CONFIG_FILE\`
names, the environment. A process reads them once, at its start, and does not start when anything is wrong: all mistakes
are printed at once, each with its source. Secrets are never printed.

- \`CONFIG_FILE\` holds sections and keys, e.g. \`{"crawl": {"timeoutMs": 5000}}\`. It is merged key by key; \`crawl.resolve\` and the
  \`options\` of plugins are replaced as a whole.
- In the environment, lists are separated by commas, objects are JSON text, \`null\` is null where the key allows it, and an empty
  variable counts as unset. An unknown name that begins with \`CADRE_\` is a mistake.
- A secret can come from a file: set \`<NAME>_FILE\` to its path instead of \`<NAME>\`. White space around it is dropped.
- Relative paths are relative to the working directory, those of plugins to the folder of \`CONFIG_FILE\`, where one is set.

## Settings

${row('Key', 'Environment', 'Value', 'Default', 'Meaning')}
| --- | --- | --- | --- | --- |
${settingRows(valid).join('\n')}

## Credentials of built-in plugins

These names are not settings of their own. Each takes effect if \`use\` of its plugin is null or names that plugin.

${row('Environment', 'Value', 'Effect')}
| --- | --- | --- |
${credentialRows().join('\n')}

A process with \`ROLES=worker\` alone needs a queue that other processes reach, so set \`AMQP_URL\` there and in the API process.
It needs no \`DATABASE_URL\`.

## Plans

\`config/plans.json\` holds the plans: allowances, features and models of each. The plan \`business\` must be there, because the first
start makes its workspace on it. What an operator overrides for one workspace is kept in the database.
`;
}
