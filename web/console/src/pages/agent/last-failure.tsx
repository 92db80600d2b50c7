import { signal } from '@preact/signals';
import { jobLabels } from '../../../../../core/tasks/job-types.js';
import type { Training } from '../../api/types.js';
import { When } from '../../parts/figures.js';
import { to } from '../../router.js';
import { JobControls } from './job-controls.js';

/** Ids of the failures that were dismissed while this page was open. */
const dismissed = signal<ReadonlySet<string>>(new Set());

export function dismissFailure(jobId: string): void {
  dismissed.value = new Set([...dismissed.value, jobId]);
}

interface LastFailureProps {
  agentId: string;
  job: NonNullable<Training['lastFailedJob']> | null;
  /** Called after failed tasks were submitted again. */
  onChange: (newJobId?: string) => void;
}

/** The newest failed job, with reasons and advice. */
export function LastFailure({ agentId, job, onChange }: LastFailureProps) {
  if (!job || dismissed.value.has(job.id)) return null;
  const { id, finishedAt, lastError, tasksFailedCount } = job;
  return (
    <section class="panel training has-failures" aria-label="Last failed training">
      <p>
        <strong>Training failed</strong> <When seconds={finishedAt} />:{' '}
        <a href={to('agents', agentId, 'jobs', id)}>
          {jobLabels[job.type]} (job {id})
        </a>
        . Nothing was learned from it.
      </p>
      {lastError && (
        <p>
          <span class="task-target">{lastError.target}</span>
          <br />
          <span class="task-problem">
            {lastError.message} <code>{lastError.code}</code>
          </span>
          {tasksFailedCount > 1 && <span class="muted"> The job lists all {tasksFailedCount} failures.</span>}
        </p>
      )}
      <div class="actions">
        <JobControls agentId={agentId} job={job} onChange={onChange} />
        <button type="button" onClick={() => dismissFailure(id)}>
          Dismiss
        </button>
      </div>
    </section>
  );
}
