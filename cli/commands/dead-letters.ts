import { type Command, Option } from 'commander';
import { idOf } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { type DeadLetter, type DeadLetterFilter, deadLetters, redrive } from '../dead-letters.js';
import { withInstallation } from '../installation.js';
import type { Speak } from '../speak.js';
import { textTable } from '../text-table.js';

const present = ({ task, redrivenAs }: DeadLetter) => ({
  taskId: task.id,
  jobId: String(task.jobId),
  agentId: task.agentId,
  type: task.type,
  target: task.target,
  attempts: task.attempts,
  redrivenAs,
});

const jobIdOf = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CliError('JOB_NOT_FOUND', `There is no job "${text}".`);
  return Number(text);
};

const limitOf = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new CliError('USAGE', '--limit is a number from 1 to 9999.');
  return Number(text);
};

interface Chosen {
  job?: string;
  agent?: string;
  all?: boolean;
  limit?: string;
}

const filterOf = ({ job, agent }: Chosen): DeadLetterFilter => ({
  ...(job === undefined ? {} : { jobId: jobIdOf(job) }),
  ...(agent === undefined ? {} : { agentId: idOf(agent) }),
});

export function addTo(program: Command, speak: Speak): void {
  const letters = program
    .command('dead-letters')
    .description('tasks the queue gave up on because they kept crashing their workers');

  letters
    .command('list')
    .description('list dead letters, newest first; redrivenAs is the job that runs it again')
    .option('--job <id>', 'id of the job')
    .option('--agent <id>', 'only dead letters of this agent')
    .option('--limit <n>', 'maximum number to show', '50')
    .addHelpText('after', '\nExample: dead-letters list --agent ID')
    .action((options: Chosen, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const page = { limit: limitOf(options.limit ?? ''), before: null };
          const found = await deadLetters(installation, filterOf(options), page);
          out.result(found.map(present), () => textTable(found.map(present)));
        }),
      ),
    );

  letters
    .command('redrive')
    .description('resubmit the pages of dead letters, each once, as new jobs')
    .option('--job <id>', 'only dead letters of this job')
    .option('--agent <id>', 'only dead letters of this agent')
    .addOption(new Option('--all', 'all dead letters').conflicts(['job', 'agent']))
    .addHelpText('after', '\nExample: dead-letters redrive --job 42')
    .action((options: Chosen, command: Command) =>
      speak(command, (out) => {
        if (!options.all && options.job === undefined && options.agent === undefined)
          throw new CliError('USAGE', 'Choose --job ID, --agent ID or --all.');
        return withInstallation(async (installation) => {
          out.result(await redrive(installation, filterOf(options)));
          out.note('A running server starts them within seconds. Follow one with `jobs watch --job ID`.');
        });
      }),
    );
}
