import { useEffect } from 'preact/hooks';
import { agentPath, ask } from '../../api/request.js';
import type { SourceFailure } from '../../api/types.js';
import { useAction, useList } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { When } from '../../parts/figures.js';
import { Problem } from '../../parts/notice.js';
import { may } from '../../parts/permitted.js';
import { Rows } from '../../parts/rows.js';

interface FailedSourcesProps {
  agentId: string;
  /** Increases when a job ends. */
  ended: number;
  onSubmitted: (jobId: string) => void;
}

/** Pages and files that could not be read, with the reason and what can be done. */
export function FailedSources({ agentId, ended, onSubmitted }: FailedSourcesProps) {
  const list = useList<SourceFailure>(agentPath(agentId, 'failures'), { limit: '20' });
  const acting = useAction();
  const { items, reload } = list;
  useEffect(() => {
    if (ended > 0) reload();
  }, [ended]);
  if (!items || items.length === 0) return null;
  const retry = async ({ id, name }: SourceFailure) => {
    const path = agentPath(agentId, 'failures', id, 'retry');
    const { jobId } = await ask<{ jobId: string }>(path, { method: 'POST' });
    onSubmitted(jobId);
    confirmDone(`${name}: trying again.`);
  };
  const dismiss = async ({ id }: SourceFailure) => {
    await ask(agentPath(agentId, 'failures', id), { method: 'DELETE' });
    reload();
  };
  return (
    <section class="failed-sources" aria-labelledby="failed-sources">
      <h2 id="failed-sources">Could not be read</h2>
      <Problem failure={acting.failure} />
      <Rows list={list}>
        {(failure) => (
          <li key={failure.id}>
            <div>
              {failure.name}
              <p class="task-problem small">
                {failure.reason} <code>{failure.code}</code>
              </p>
              <p class="muted small">
                tried <When seconds={failure.at} />
              </p>
            </div>
            {may('edit') && (
              <div class="row-actions">
                {failure.type === 'url' && (
                  <button
                    type="button"
                    disabled={acting.busy}
                    aria-label={`Try again: ${failure.name}`}
                    onClick={() => acting.run(() => retry(failure))}
                  >
                    Try again
                  </button>
                )}
                <button
                  type="button"
                  class="quiet"
                  disabled={acting.busy}
                  aria-label={`Dismiss: ${failure.name}`}
                  onClick={() => acting.run(() => dismiss(failure))}
                >
                  Dismiss
                </button>
              </div>
            )}
          </li>
        )}
      </Rows>
    </section>
  );
}
