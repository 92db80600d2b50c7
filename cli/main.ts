import { Command, CommanderError } from 'commander';
import { CliError } from './cli-error.js';
import { deadLetterCommands } from './commands/dead-letters.js';
import { jobsCommands } from './commands/jobs.js';
import { keyCommands } from './commands/key.js';
import { upkeepCommands } from './commands/upkeep.js';
import { workspaceCommands } from './commands/workspace.js';
import { refuse } from './output.js';
import { speak } from './speak.js';

/* The operator's command line. It opens the database itself, beside a running server. */

const json = process.argv.includes('--json');
let help = '';

// Whoever reads our output may have read enough: `jobs list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const program = new Command('cadre')
  .description('Operate Cadre: workspaces, API keys, jobs and the database. Works beside a running server.')
  .option('--json', 'print one JSON document; errors as {"error": {code, message}}')
  .exitOverride()
  .configureOutput({
    writeOut: (text) => {
      help += text;
    },
    writeErr: (text) => (json ? undefined : process.stderr.write(text)),
  })
  .showHelpAfterError()
  .addHelpText(
    'after',
    `
Examples:
  workspace create --name Acme --plan business     a workspace with its first key
  workspace list                                   all of them, with plan and use
  workspace show --workspace ID                    limits and features in effect
  workspace update --workspace ID --set limits.agents=50
  key create --workspace ID --name ci              one more key
  key list --workspace ID                          when each was last used
  key revoke --workspace ID --key KEYID            felt by running servers within 5 seconds
  jobs list --status failed                        what went wrong
  jobs show --job 42                               its tasks and their errors
  jobs retry --job 42                              fetch its failed pages again
  jobs watch --job 42                              follow it to its end
  dead-letters list                                what took its workers down
  dead-letters redrive --all                       try it again, once
  migrate                                          bring the database to this version
  config                                           the settings in force, without secrets
  doctor                                           what is wrong, and what to do about it
`,
  );

workspaceCommands(program, speak);
keyCommands(program, speak);
jobsCommands(program, speak);
deadLetterCommands(program, speak);
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
  else if (error.exitCode === 0) process.stdout.write(json ? `${JSON.stringify({ help })}\n` : help);
  else {
    if (json) refuse(new CliError('USAGE', usageProblem(error)), true);
    process.exitCode = 1;
  }
}

/** Commander writes `error: unknown command 'job'`, and what may have been meant on a second line. */
function usageProblem({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'The command is not complete.';
  const sentence = message.replace(/^error: /, '').replaceAll('\n', ' ');
  return /[.)]$/.test(sentence) ? sentence : `${sentence}.`;
}
