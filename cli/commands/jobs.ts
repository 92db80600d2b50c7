import type { Command } from 'commander';
import { presentJob, presentListedJob } from '../../core/http/jobs/jobs.presenter.js';
import { seconds, systemClock } from '../../core/ports/clock.port.js';
import type { JobRow, JobStatus, TaskRow } from '../../core/ports/store.port.js';
import { CliError } from '../cli-error.js';
import { type Installation, withInstallation } from '../installation.js';
import { retryJob } from '../retry-job.js';
import type { Speak } from '../speak.js';
import { watchJob } from '../watch-job.js';

const statuses: JobStatus[] = ['pending', 'running', 'completed', 'failed', 'cancelled'];

const presentForOperators = (job: JobRow) => ({
  ...presentListedJob(job),
  agentId: job.agentId,
  workspaceId: job.workspaceId,
});

export async function jobOf({ store }: Installation, id: string): Promise<{ job: JobRow; tasks: TaskRow[] }> {
  const found = /^[1-9]\d{0,14}$/.test(id) ? await store.operations.job(Number(id)) : null;
  if (!found) throw new CliError('JOB_NOT_FOUND', `There is no job "${id}".`);
  return found;
}

/** `90s`, `10m`, `2h`, `3d` in seconds. */
function ageOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const factor = { s: 1, m: 60, h: 3600, d: 86_400 }[unit ?? ''];
  if (!factor) throw new CliError('USAGE', `"${text}" is no age: write 90s, 10m, 2h or 3d.`);
  return Number(count) * factor;
}

function jobOptionOf(positional: string | undefined, option: string | undefined): string {
  const id = option ?? positional;
  if (id === undefined) throw new CliError('USAGE', 'Name the job: --job ID.');
  return id;
}

export function jobsCommands(program: Command, speak: Speak): void {
  const jobs = program.command('jobs').description('jobs: what runs, what failed and why');

  jobs
    .command('list')
    .description('newest first, over all agents')
    .option('--status <status>', statuses.join(', '))
    .option('--agent <id>')
    .option('--workspace <id>')
    .option('--older-than <age>', 'e.g. 10m: created before that')
    .option('--limit <n>', 'at most so many', '50')
    .addHelpText('after', '\nExample: jobs list --status running --older-than 10m')
    .action(
      (
        options: { status?: string; agent?: string; workspace?: string; olderThan?: string; limit: string },
        command: Command,
      ) =>
        speak(command, (out) =>
          withInstallation(async ({ store }) => {
            const status = statuses.find((known) => known === options.status);
            if (options.status !== undefined && !status)
              throw new CliError('USAGE', `--status is one of ${statuses.join(', ')}.`);
            if (!/^[1-9]\d{0,3}$/.test(options.limit))
              throw new CliError('USAGE', '--limit is a number from 1 to 9999.');
            const filter = {
              ...(status ? { status } : {}),
              ...(options.agent ? { agentId: options.agent } : {}),
              ...(options.workspace ? { workspaceId: options.workspace } : {}),
              ...(options.olderThan
                ? { createdBefore: seconds(systemClock.now()) - ageOf(options.olderThan) }
                : {}),
            };
            const rows = await store.operations.jobs(filter, { limit: Number(options.limit), before: null });
            out.answer(rows.map(presentForOperators));
          }),
        ),
    );

  jobs
    .command('show')
    .description('one job with its tasks and their errors')
    .argument('[job]')
    .option('--job <id>')
    .action((positional: string | undefined, options: { job?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const { job, tasks } = await jobOf(installation, jobOptionOf(positional, options.job));
          const shown = { ...presentJob(job, tasks), agentId: job.agentId, workspaceId: job.workspaceId };
          out.answer(shown, () => {
            const { tasks: rows, ...rest } = shown;
            console.log(rest);
            console.table(
              rows.map(({ target, status, attempts, lastError }) => ({
                target,
                status,
                attempts,
                error: lastError?.code ?? '',
              })),
            );
          });
        }),
      ),
    );

  jobs
    .command('retry')
    .description('try the failed pages of a job again, as new jobs')
    .argument('[job]')
    .option('--job <id>')
    .action((positional: string | undefined, options: { job?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const found = await jobOf(installation, jobOptionOf(positional, options.job));
          out.answer(await retryJob(installation, found.job, found.tasks));
        }),
      ),
    );

  jobs
    .command('watch')
    .description('follow a job to its end; exit 1 when it failed')
    .argument('[job]')
    .option('--job <id>')
    .action((positional: string | undefined, options: { job?: string }, command: Command) =>
      speak(command, (out) =>
        withInstallation(async (installation) => {
          const id = jobOptionOf(positional, options.job);
          const { job, tasks } = await watchJob(() => jobOf(installation, id), {
            bar: !out.json && process.stderr.isTTY === true,
          });
          out.answer(presentJob(job, tasks), () => {
            console.log(
              `job ${job.id} ${job.status}: ${job.tasksEnded - job.tasksFailed} done, ${job.tasksFailed} failed`,
            );
            for (const { target, error } of tasks)
              if (error) console.log(`  ${target}: ${error.code}. ${error.message}`);
          });
          if (job.status === 'failed') process.exitCode = 1;
        }),
      ),
    );
}
