import { Command } from 'commander';
import { installedVersion } from '../config/installation.js';
import { archiveCommands } from './commands/archive.js';
import { askCommand } from './commands/ask.js';
import { backupCommands } from './commands/backup.js';
import { completionCommand } from './commands/completion.js';
import { deadLetterCommands } from './commands/dead-letters.js';
import { evaluateCommand } from './commands/evaluate.js';
import { installationCommands } from './commands/installation.js';
import { jobsCommands } from './commands/jobs.js';
import { keyCommands } from './commands/key.js';
import { mcpCommand } from './commands/mcp.js';
import { plansCommands } from './commands/plans.js';
import { searchCommands } from './commands/search.js';
import { startCommand } from './commands/start.js';
import { syncCommand } from './commands/sync.js';
import { upkeepCommands } from './commands/upkeep.js';
import { webhookCommands } from './commands/webhooks.js';
import { workspaceCommands } from './commands/workspace.js';
import type { Speak } from './speak.js';

/** All groups of commands, in the order of the help. */
const groups: readonly ((program: Command, speak: Speak) => void)[] = [
  startCommand,
  workspaceCommands,
  plansCommands,
  keyCommands,
  jobsCommands,
  deadLetterCommands,
  webhookCommands,
  askCommand,
  searchCommands,
  evaluateCommand,
  mcpCommand,
  syncCommand,
  archiveCommands,
  backupCommands,
  installationCommands,
  upkeepCommands,
  completionCommand,
];

/**
 * Creates the commands. Throws CommanderError instead of ending the process; `write` and `complain` receive its
 * output.
 */
export function createProgram(
  speak: Speak,
  { write, complain }: { write: (text: string) => void; complain: (text: string) => void },
): Command {
  const program = new Command('cadre')
    .description(
      'Run and operate Cadre: the service, workspaces, API keys, jobs and the database. Safe to use while a server is running.',
    )
    .version(installedVersion(), '--version', 'print the version')
    .option('--json', 'print one JSON document; errors as {"error": {code, message}}')
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: complain })
    .showHelpAfterError('See `npx cadre --help`.')
    .addHelpText('after', examples);
  for (const add of groups) add(program, speak);
  for (const command of program.commands) inherit(command, program);
  return program;
}

/** `--json` is allowed at every level, and usage errors at every level throw. */
function inherit(command: Command, program: Command): void {
  command.copyInheritedSettings(program).option('--json', 'print one JSON document');
  for (const inner of command.commands) inherit(inner, program);
}

const examples = `
Examples:
  start                                            the service itself, like npm start
  workspace create --name Acme --plan business     a workspace with its first key
  workspace list                                   all of them, with plan and use
  workspace show --workspace ID                    limits and features in effect
  workspace update --workspace ID --set limits.agents=50
  workspace delete --workspace ID --yes            the workspace with all that it has
  plans list                                       what each plan allows
  key create --workspace ID --name ci              one more key
  key list --workspace ID                          when each was last used
  key revoke --workspace ID --key KEYID            felt by running servers within 5 seconds
  jobs list --status failed                        what went wrong
  jobs show --job 42                               its tasks and their errors
  jobs cancel --job 42                             end it with all that waits
  jobs retry --job 42                              try its failed tasks again
  jobs watch --job 42                              follow it to its end
  dead-letters list                                what took its workers down
  dead-letters redrive --all                       try it again, once
  webhooks create --workspace ID --url URL         tell a service what happens
  webhooks deliveries --workspace ID --webhook ID   what was sent, and what came of it
  ask --agent ID "When are you open?"               its answer, with sources
  search --agent ID "When are you open?"            what an agent finds
  evaluate FILE --agent ID                          how well it answers known questions
  mcp --url URL                                    the tools of a service, for a desktop client
  sync docs --agent ID --name docs --delete         its sources equal to the folder
  export --agent ID > agent.zip                    an agent with its sources
  import agent.zip                                 a copy of it, with another id
  reindex --status                                 how much is being indexed
  migrate                                          bring the database to this version
  backup --to FILE                                 a copy of the embedded database
  restore --from FILE                              the copy back in its place
  installation adopt                               take over storage and queue after a restore
  config                                           the settings in force, without secrets
  doctor                                           what is wrong, and what to do about it
  completion bash                                  Tab completes commands and options
`;
