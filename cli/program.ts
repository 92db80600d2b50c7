import { Command } from 'commander';
import { installedVersion } from '../config/installation.js';
import type { Speak } from './speak.js';

interface CommandModule {
  addTo(program: Command, speak: Speak): void;
}

/** The modules of all commands, in the order of the help, with the names of the commands that they add. */
const groups: readonly { names: readonly string[]; load: () => Promise<CommandModule> }[] = [
  { names: ['start'], load: () => import('./commands/start.js') },
  { names: ['workspace'], load: () => import('./commands/workspace.js') },
  { names: ['plans'], load: () => import('./commands/plans.js') },
  { names: ['key'], load: () => import('./commands/key.js') },
  { names: ['user'], load: () => import('./commands/user.js') },
  { names: ['jobs'], load: () => import('./commands/jobs.js') },
  { names: ['dead-letters'], load: () => import('./commands/dead-letters.js') },
  { names: ['webhooks'], load: () => import('./commands/webhooks.js') },
  { names: ['ask'], load: () => import('./commands/ask.js') },
  { names: ['search', 'reindex'], load: () => import('./commands/search.js') },
  { names: ['evaluate'], load: () => import('./commands/evaluate.js') },
  { names: ['mcp'], load: () => import('./commands/mcp.js') },
  { names: ['sync'], load: () => import('./commands/sync.js') },
  { names: ['export', 'import'], load: () => import('./commands/archive.js') },
  { names: ['backup', 'restore'], load: () => import('./commands/backup.js') },
  { names: ['installation'], load: () => import('./commands/installation.js') },
  { names: ['migrate', 'config', 'doctor'], load: () => import('./commands/upkeep.js') },
  { names: ['completion'], load: () => import('./commands/completion.js') },
];

/** Returns the group of the called command, or all groups for help, an unknown name, or `completion`. */
function groupsFor(line: readonly string[]): typeof groups {
  const name = line.find((word) => word !== '--json');
  const called = groups.find(({ names }) => names.some((own) => own === name && own !== 'completion'));
  return called ? [called] : groups;
}

/**
 * Creates only the commands that `line` needs, because loading all of them takes 0.5 s. Throws CommanderError instead
 * of ending the process. `write` and `complain` receive its output.
 */
export async function createProgram(
  line: readonly string[],
  speak: Speak,
  { write, complain }: { write: (text: string) => void; complain: (text: string) => void },
): Promise<Command> {
  const modules = await Promise.all(groupsFor(line).map(({ load }) => load()));
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
  for (const { addTo } of modules) addTo(program, speak);
  for (const command of program.commands) inherit(command, program);
  return program;
}

/** Allows `--json` at every level, and makes usage errors throw at every level. */
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
  user setup-link                                  a link to become the owner of a workspace
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
