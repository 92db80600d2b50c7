import { useEffect } from 'preact/hooks';
import { jobLabels } from '../../../../../core/tasks/job-types.js';
import { agentPath, ask } from '../../api/request.js';
import type { Job, SitemapReport, SiteReport, Task } from '../../api/types.js';
import { labelOf } from '../../forms/words.js';
import { useList, useLoaded } from '../../loading.js';
import { Progress, When } from '../../parts/figures.js';
import { Heading } from '../../parts/heading.js';
import { Loading, More, Problem } from '../../parts/notice.js';
import { count, several } from '../../parts/numbers.js';
import { Status } from '../../parts/outcome.js';
import { Tasks } from '../../parts/tasks.js';
import { to } from '../../router.js';
import { isOver, summaryOf, type Watched } from '../../training.js';
import { JobControls } from './job-controls.js';

export function JobPage({ agentId, jobId, training }: { agentId: string; jobId: string; training: Watched }) {
  const path = agentPath(agentId, 'jobs', jobId);
  const { data: job, failure, reload } = useLoaded((signal) => ask<Job>(path, { signal }), [path]);
  const tasks = useList<Task>(`${path}/tasks`);
  const watched = training.job?.id === jobId ? training.job : null;
  const again = () => {
    reload();
    tasks.reload();
  };
  useEffect(() => {
    if (watched) again();
  }, [watched?.tasksCompletedCount, watched?.status]);
  if (!job) return failure ? <Problem failure={failure} retry={again} /> : <Loading />;
  return (
    <section>
      <Problem failure={failure} retry={again} />
      <Heading title={`${jobLabels[job.type]} (job ${job.id})`}>
        <Status status={job.status} />
      </Heading>
      {!isOver(job) && (
        <Progress label="Tasks" value={job.tasksCompletedCount} max={job.tasksCount}>
          {job.tasksCompletedCount} of {job.tasksCount}
        </Progress>
      )}
      <p class="muted small">
        Submitted <When seconds={job.createdAt} />
        {job.finishedAt !== null && (
          <>
            , ended <When seconds={job.finishedAt} />. {summaryOf(job)}
          </>
        )}
      </p>
      <div class="actions">
        <JobControls
          agentId={agentId}
          job={job}
          onChange={(newJobId) => {
            again();
            training.look(newJobId);
          }}
        />
      </div>
      {job.sitemap && <Sitemap {...job.sitemap} />}
      {job.site && <Site agentId={agentId} site={job.site} />}
      <h2>Tasks</h2>
      <Problem failure={tasks.failure} />
      {tasks.items && <Tasks tasks={tasks.items} />}
      <More more={tasks.more} />
    </section>
  );
}

/** The pages of a sitemap that were added, and why others were skipped. */
const Sitemap = ({ host, sitemaps, found, added, skipped }: SitemapReport) => (
  <section class="panel">
    <h2>Sitemap of {host}</h2>
    <p>
      {several(sitemaps, 'sitemap')} read, {several(found, 'page')} found, {count(added)} taken.
    </p>
    <Skipped skipped={skipped} />
  </section>
);

/** The pages of a whole site that were read, and why others were skipped. */
const Site = ({ agentId, site }: { agentId: string; site: SiteReport }) => (
  <section class="panel">
    <h2>Whole site</h2>
    <p>
      {several(site.found, 'address', 'addresses')} found, {several(site.read, 'page')} new or changed,{' '}
      {count(site.unchanged)} unchanged, {count(site.waiting)} waiting, {count(site.deleted.count)} deleted.
    </p>
    {site.paused && <p>The storage of the workspace is full. The job tries again each minute.</p>}
    {site.suspect && site.deleted.count === 0 && (
      <p>
        {several(site.gone, 'page')} had vanished at once. They are deleted only if you confirm it under{' '}
        <a href={to('agents', agentId, 'sites')}>Sites</a>.
      </p>
    )}
    <Skipped skipped={site.skipped} />
  </section>
);

/** Addresses that were left out, by reason. */
const Skipped = ({ skipped }: { skipped: { reason: string; count: number; examples: string[] }[] }) => (
  <>
    {skipped.map(({ reason, count: times, examples }) => (
      <details key={reason}>
        <summary>
          {labelOf(reason)}: {count(times)} left out
        </summary>
        <ul class="plain small">
          {examples.map((url) => (
            <li key={url}>{url}</li>
          ))}
        </ul>
      </details>
    ))}
  </>
);
