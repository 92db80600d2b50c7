import { agentPath, ask } from '../../api/request.js';
import type { ListedJob } from '../../api/types.js';
import { useAction } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';
import { Permitted } from '../../parts/permitted.js';
import { isOver } from '../../training.js';

interface JobControlsProps {
  agentId: string;
  job: Pick<ListedJob, 'id' | 'type' | 'finishedAt' | 'tasksFailedCount'>;
  /** Called after a job was cancelled or its failed tasks were submitted again. */
  onChange: (newJobId?: string) => void;
}

/** Cancels a running job, or retries the failed tasks of an ended one. */
export function JobControls({ agentId, job, onChange }: JobControlsProps) {
  const { busy, failure, run } = useAction();
  const post = (verb: 'cancel' | 'retry') =>
    run(async () => {
      const answer = await ask<{ message?: string; jobId?: string | null }>(
        agentPath(agentId, 'jobs', job.id, verb),
        {
          method: 'POST',
        },
      );
      confirmDone(answer.message ?? 'The job was cancelled.');
      onChange(answer.jobId ?? undefined);
    });
  // Failed files cannot be retried, because their bytes have been deleted.
  const canRetry = isOver(job) && job.tasksFailedCount > 0 && !['index_files', 'embed'].includes(job.type);
  if (isOver(job) && !canRetry) return null;
  return (
    <Permitted needs="edit" what={isOver(job) ? 'another attempt' : 'cancelling it'}>
      {!isOver(job) && (
        <button type="button" disabled={busy} onClick={() => void post('cancel')}>
          Cancel job
        </button>
      )}
      {canRetry && (
        <button type="button" disabled={busy} onClick={() => void post('retry')}>
          Try failed tasks again
        </button>
      )}
      <Problem failure={failure} />
    </Permitted>
  );
}
