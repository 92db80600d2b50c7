import type { JobType } from '../../../../../core/tasks/job-types.js';
import type { Training } from '../../api/types.js';
import { Progress } from '../../parts/figures.js';
import { Problem } from '../../parts/notice.js';
import { Tasks } from '../../parts/tasks.js';
import { to } from '../../router.js';
import { isOver, summaryOf, type Watched } from '../../training.js';
import { JobControls } from './job-controls.js';
import { dismissFailure, LastFailure } from './last-failure.js';

interface ReportProps extends Watched {
  agentId: string;
  /** If true, only running jobs are shown. */
  isBrief: boolean;
  /** If true, a failure is shown even if a later training succeeded. */
  showsPast: boolean;
}

/** Types of jobs whose failures are listed among the sources. */
const listed: readonly JobType[] = ['index_url', 'index_files'];

/** Returns the last failed job if no later one has succeeded, and if the sources do not list its failures. */
function unresolved({ lastFailedJob: job, lastTrainedAt }: Training): Training['lastFailedJob'] {
  if (!job || listed.includes(job.type)) return null;
  return (job.finishedAt ?? 0) >= (lastTrainedAt ?? 0) ? job : null;
}

/** The progress of the running job, or the result of the last job with failures and advice. */
export function TrainingReport({
  agentId,
  isBrief,
  showsPast,
  status,
  job,
  failure,
  look,
  dismiss,
}: ReportProps) {
  const active = status?.activeJob;
  if (active) {
    const { tasksCount, tasksCompletedCount } = job?.id === active.id ? job : active;
    return (
      <section class="panel training" aria-label="Training">
        <Progress label="Learning" value={tasksCompletedCount} max={tasksCount}>
          {tasksCompletedCount} of {tasksCount}
        </Progress>
        <p class="small muted">
          <a href={to('agents', agentId, 'jobs', active.id)}>Job {active.id}</a> is running. You can continue
          to work.
        </p>
        <Problem failure={failure} />
      </section>
    );
  }
  if (isBrief) return failure && <Problem failure={failure} retry={look} />;
  if (!job || !isOver(job))
    return (
      <>
        <Problem failure={failure} retry={look} />
        <LastFailure
          agentId={agentId}
          job={(showsPast ? status?.lastFailedJob : status && unresolved(status)) ?? null}
          onChange={look}
        />
      </>
    );
  const failed = job.tasks.filter((task) => task.status === 'failed');
  return (
    <section class={`panel training ${failed.length > 0 ? 'has-failures' : ''}`} aria-label="Training">
      <p>
        <strong>Training has ended.</strong> {summaryOf(job)}{' '}
        <a href={to('agents', agentId, 'jobs', job.id)}>Job {job.id}</a>
      </p>
      {failed.length > 0 && <Tasks tasks={failed} />}
      <div class="actions">
        <JobControls agentId={agentId} job={job} onChange={look} />
        <button
          type="button"
          onClick={() => {
            dismissFailure(job.id);
            dismiss();
          }}
        >
          Dismiss
        </button>
      </div>
    </section>
  );
}
