import { useEffect, useState } from 'preact/hooks';
import { type JobStatus, jobLabels, jobStatuses } from '../../../../../core/tasks/job-types.js';
import { agentPath, ask } from '../../api/request.js';
import type { ListedJob } from '../../api/types.js';
import { useAction, useList } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { When } from '../../parts/figures.js';
import { Filter, Total } from '../../parts/filter.js';
import { Empty, Problem } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { Status, statusName } from '../../parts/outcome.js';
import { Permitted } from '../../parts/permitted.js';
import { Rows } from '../../parts/rows.js';
import { to } from '../../router.js';
import type { Watched } from '../../training.js';

export function Jobs({ agentId, training }: { agentId: string; training: Watched }) {
  const [status, setStatus] = useState<JobStatus | ''>('');
  const list = useList<ListedJob>(agentPath(agentId, 'jobs'), status ? { status } : {});
  const { reload } = list;
  useEffect(() => {
    if (training.ended > 0) reload();
  }, [training.ended]);
  const retrain = useAction();
  const renew = () =>
    retrain.run(async () => {
      const { message, jobId } = await ask<{ message: string; jobId: string | null }>(
        agentPath(agentId, 'train'),
        { method: 'POST' },
      );
      confirmDone(message);
      training.look(jobId ?? undefined);
      reload();
    });
  return (
    <section>
      <div class="find">
        <Filter
          label="Status"
          any="All jobs"
          choices={jobStatuses.map((name) => [name, statusName(name)])}
          value={status}
          onChange={(name) => setStatus(name as JobStatus | '')}
        />
        <Total list={list} what="job" />
        <Permitted needs="edit" what="reading pages again">
          <button type="button" disabled={retrain.busy} onClick={() => void renew()}>
            Read all pages again
          </button>
        </Permitted>
      </div>
      <Problem failure={retrain.failure} />
      <Rows
        list={list}
        empty={
          <Empty title="No jobs yet.">
            <p>A job reads pages or files. Add one under Sources.</p>
          </Empty>
        }
      >
        {(job) => (
          <li key={job.id}>
            <div>
              <a href={to('agents', agentId, 'jobs', job.id)}>
                {jobLabels[job.type]} (job {job.id})
              </a>
              <p class="muted small">
                <When seconds={job.createdAt} /> · {job.tasksCompletedCount} of{' '}
                {several(job.tasksCount, 'task')} ended
                {job.tasksFailedCount > 0 && `, ${job.tasksFailedCount} failed`}
              </p>
            </div>
            <Status status={job.status} />
          </li>
        )}
      </Rows>
    </section>
  );
}
