import type { Command, Option } from 'commander';
import { refusals } from '../../cli/cli-error.js';
import { code, table } from './table.js';

const introduction = `# Command line

\`\`\`sh
npx cadre <command> [--json]
\`\`\`

Use \`npx cadre\` where the package is installed, \`npm run --silent cli --\` in a clone (it builds first), \`node dist/cli/main.js\` in the
container image, and \`cadre\` after \`npm install --global\`. A command opens the server's database with the same settings
(\`DATA_DIR\`, \`DATABASE_URL\`, \`CONFIG_FILE\` …), also while the server runs. With \`--json\` it prints one JSON document. Errors are
\`{"error": {"code", "message"}}\` with exit code 1. Every command has \`--help\`.

A failed file is deleted from storage, so \`jobs retry\` and \`dead-letters redrive\` refuse it: upload it again through the API. A
running server picks up new tasks within seconds; otherwise the next server that starts does.`;

const shown = ({ hidden, long }: Option): boolean => !hidden && long !== '--json';

/** `jobs list`, with the commands above it. */
const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];

/** Commands that can run: those without subcommands, and those with options of their own, such as `backup`. */
const runnable = (command: Command): Command[] => [
  ...(command.parent && (command.commands.length === 0 || command.options.some(shown)) ? [command] : []),
  ...command.commands.flatMap(runnable),
];

function section(command: Command): string {
  const options = command.options.filter(shown);
  const required = options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const args = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const optional = options.length > required.length ? ['[options]'] : [];
  const usage = [...pathOf(command), ...args, ...required, ...optional].join(' ');
  const rows = options.map(({ flags, description, mandatory }) => [
    code(flags),
    mandatory ? 'yes' : 'no',
    description,
  ]);
  return [
    `### ${code(usage)}`,
    `${capital(command.description())}.`,
    ...(rows.length > 0 ? [table(['option', 'required', 'meaning'], rows)] : []),
  ].join('\n\n');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the text of docs/cli.md. */
export function cliReference(program: Command): string {
  const codes = Object.entries(refusals).map(([name, { means, advice }]) => [code(name), means, advice]);
  return [
    introduction,
    '## Commands',
    ...runnable(program).map(section),
    '## Error codes',
    table(['code', 'meaning', 'what to do'], codes),
  ].join('\n\n');
}
