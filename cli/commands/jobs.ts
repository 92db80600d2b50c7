import type { Command } from 'commander';
import { jobSummary } from '../../core/actors/agent/jobs/job-summary.js';
import { jobReports, presentJob, storedAs } from '../../core/http/jobs/jobs.presenter.js';
import { seconds } from '../../core/ports/clock.port.js';
import type { JobRow, TaskRow } from '../../core/ports/store/rows.js';
import { type JobStatus, jobStatuses } from '../../core/tasks/job-types.js';
import { idOf } from '../arguments.js';
import { cancelJob } from '../cancel-job.js';
import { CliError } from '../cli-error.js';
import { type Installation, withInstallation } from '../installation.js';
import { retryJob } from '../retry-job.js';
import type { Speak } from '../speak.js';
import { textFields, textTable } from '../text-table.js';
import { watchJob } from '../watch-job.js';

const presentForOperators = (job: JobRow) => ({
  ...jobSummary(job),
  agentId: job.agentId,
  workspaceId: job.workspaceId,
});

const jobLine = ({ id, type, status, tasksEnded, tasksCount, tasksFailed, createdAt, agentId }: JobRow) => ({
  job: id,
  type,
  status,
  ended: `${tasksEnded}/${tasksCount}`,
  failed: tasksFailed,
  createdAt,
  agentId,
});

const jobText = (job: JobRow, tasks: TaskRow[]): string =>
  [
    textFields(presentForOperators(job)),
    '',
    textTable(
      tasks.map(({ target, status, attempts, error }) => ({
        target,
        status,
        attempts,
        error: error && `${error.code}: ${error.message}`,
      })),
    ),
  ].join('\n');

async function jobOf({ store }: Installation, id: string): Promise<{ job: JobRow; tasks: TaskRow[] }> {
  const found = /^[1-9]\d{0,14}$/.test(id) ? await store.operations.job(Number(id)) : null;
  if (!found) throw new CliError('JOB_NOT_FOUND', `There is no job "${id}".`);
  return found;
}

/** Parses `90s`, `10m`, `2h` or `3d` to seconds. */
function ageOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const factor = { s: 1, m: 60, h: 3600, d: 86_400 }[unit ?? ''];
  if (!factor) throw new CliError('USAGE', `"${text}" is not an age. Write 90s, 10m, 2h or 3d.`);
  return Number(count) * factor;
}

function statusOf(option: string | undefined): JobStatus | undefined {
  const status = jobStatuses.find((known) => known === option);
  if (option !== undefined && !status)
    throw new CliError('USAGE', `--status is one of ${jobStatuses.join(', ')}.`);
  return status;
}

function limitOf(option: string): number {
  if (!/^[1-9]\d{0,3}$/.test(option)) throw new CliError('USAGE', '--limit is a number from 1 to 9999.');
  return Number(option);
}

function jobOptionOf(positional: string | undefined, option: string | undefined): string {
  if (positional !== undefined && option !== undefined && positional !== option)
    throw new CliError('USAGE', `Two jobs are given, ${positional} and ${option}. Give only one.`);
  const id = option ?? positional;
  if (id === undefined) throw new CliError('USAGE', 'Give a job with --job ID.');
  return id;
}

export function addTo(program: Command, speak: Speak): void {
  const jobs = program.command('jobs').description('jobs: what runs, what failed and why');

  jobs
    .command('list')
    .description('list jobs of all agents, newest first')
    .option('--status <status>', jobStatuses.join(', '))
    .option('--agent <id>', 'only jobs of this agent')
    .option('--workspace <id>', 'only jobs of this workspace')
    .option('--older-than <age>', 'only jobs created longer ago than this, such as 10m')
    .option('--limit <n>', 'maximum number to show', '50')
    .addHelpText('after', '\nExample: jobs list --status running --older-than 10m')
    .action(
      (
        options: { status?: string; agent?: string; workspace?: string; olderThan?: string; limit: string },
        command: Command,
      ) =>
        speak(command, (out) =>
          withInstallation(async ({ store, clock }) => {
            const status = statusOf(options.status);
            const limit = limitOf(options.limit);
            const filter = {
              ...(status ? { status } : {}),
              ...(options.agent ? { agentId: idOf(options.agent) } : {}),
              ...(options.workspace ? { workspaceId: idOf(options.workspace) } : {}),
              ...(options.olderThan
                ? { createdBefore: seconds(clock.now()) - ageOf(options.olderThan) }
                : {}),
            };
            const rows = await store.operations.jobs(filter, { limit, before: null });
            out.result(rows.map(presentForOperators), () => textTable(rows.map(jobLine)));
          }),
        ),
    );

  jobs
    .command('show')
    .description('show one job with its tasks and their errors')
    .argument('[job]')
    .option('--job <id>', 'id of the job')
    .option('--status <status>', `only tasks that are ${jobStatuses.join(', ')}`)
    .option('--limit <n>', 'maximum number of tasks to show', '100')
    .addHelpText('after', '\nExample: jobs show --job 42 --status failed')
    .action(
      (
        positional: string | undefined,
        options: { job?: string; status?: string; limit: string },
        command: Command,
      ) =>
        speak(command, (out) =>
          withInstallation(async (installation) => {
            const status = statusOf(options.status);
            const limit = limitOf(options.limit);
            const { job } = await jobOf(installation, jobOptionOf(positional, options.job));
            const page = { limit, after: null };
            const found = await installation.store.operations.tasks(
              job.id,
              status ? storedAs(status) : null,
              page,
            );
            const tasks = found.slice(0, limit);
            const reports = await jobReports(job, installation.store);
            out.result({ ...presentForOperators(job), ...presentJob(job, tasks, reports) }, () =>
              jobText(job, tasks),
            );
            if (found.length > limit)
              out.note(`Only the first ${limit} tasks are shown. Use --limit to show up to 9999.`);
          }),
        ),
    );

  jobs
    .command('cancel')
    .description('end a job with all its tasks that have not ended')
    .argument('[job]')
    .option('--job <id>', 'id of the job')
    .addHelpText('after', '\nExample: jobs cancel --job 42')
    .action((positional: string | undefined, options: { job?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const found = await jobOf(installation, jobOptionOf(positional, options.job));
          const job = await cancelJob(installation, found.job);
          out.result(presentForOperators(job), () => textFields(presentForOperators(job)));
          if (job.finishedAt === null) out.note('It has many tasks: a running server cancels the rest.');
        }),
      ),
    );

  jobs
    .command('retry')
    .description('try the failed tasks of a job again as a new job, like POST …/jobs/{jobId}/retry')
    .argument('[job]')
    .option('--job <id>', 'id of the job')
    .addHelpText('after', '\nExample: jobs retry --job 42')
    .action((positional: string | undefined, options: { job?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const found = await jobOf(installation, jobOptionOf(positional, options.job));
          out.result(await retryJob(installation, found.job));
          out.note('A running server starts them within seconds. Follow one with `jobs watch --job ID`.');
        }),
      ),
    );

  jobs
    .command('watch')
    .description('follow a job until it ends; exits with 1 unless it completed')
    .argument('[job]')
    .option('--job <id>', 'id of the job')
    .addHelpText('after', '\nExample: jobs watch --job 42')
    .action((positional: string | undefined, options: { job?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const found = await jobOf(installation, jobOptionOf(positional, options.job));
          await watchJob(installation.store.operations, found.job, out);
          const { job, tasks } = await jobOf(installation, String(found.job.id));
          const reports = await jobReports(job, installation.store);
          out.result({ ...presentForOperators(job), ...presentJob(job, tasks, reports) }, () =>
            jobText(job, tasks),
          );
          if (job.status !== 'completed') process.exitCode = 1;
        }),
      ),
    );
}
