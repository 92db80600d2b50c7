import { Command, CommanderError } from 'commander';
import { CliError } from './cli-error.js';
import { jobsCommands } from './commands/jobs.js';
import { keyCommands } from './commands/key.js';
import { upkeepCommands } from './commands/upkeep.js';
import { workspaceCommands } from './commands/workspace.js';
import { refuse } from './output.js';
import { speak } from './speak.js';

/* The operator's command line. It opens the database itself, beside a running server. */

const json = process.argv.includes('--json');

const program = new Command('cadre')
  .description('Operate Cadre: workspaces, API keys, jobs and the database. Works beside a running server.')
  .option('--json', 'print one JSON document; errors as {"error": {code, message}}')
  .exitOverride()
  .configureOutput({ writeErr: (text) => (json ? undefined : process.stderr.write(text)) })
  .showHelpAfterError()
  .addHelpText(
    'after',
    `
Examples:
  workspace create --name Acme --plan business     a workspace with its first key
  key create --workspace ID --name ci              one more key
  key revoke --workspace ID --key KEYID            felt by running servers within 5 seconds
  workspace update --workspace ID --set limits.agents=50
  jobs list --status failed                        what went wrong
  jobs watch --job 42                              follow one to its end
  migrate                                          bring the database to this version
`,
  );

workspaceCommands(program, speak);
keyCommands(program, speak);
jobsCommands(program, speak);
upkeepCommands(program, speak);
for (const command of program.commands) inherit(command);

/** `--json` may stand anywhere, and a usage error anywhere is ours to print. */
function inherit(command: Command): void {
  command.copyInheritedSettings(program).option('--json', 'print one JSON document');
  for (const inner of command.commands) inherit(inner);
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) refuse(error, json);
  else if (error.exitCode !== 0) {
    if (json) refuse(new CliError('USAGE', error.message.replace(/^error: /, '').replace(/\.?$/, '.')), true);
    process.exitCode = 1;
  }
}
