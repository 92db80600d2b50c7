import { useState } from 'preact/hooks';
import { limits } from '../../../../../../core/schemas/limits.js';
import { agentPath, ask } from '../../../api/request.js';
import type { Evaluation, KeptQuestion } from '../../../api/types.js';
import { useAction, useList, usePolling } from '../../../loading.js';
import { When } from '../../../parts/figures.js';
import { Empty, Problem } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { Status } from '../../../parts/outcome.js';
import { Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { go, to } from '../../../router.js';
import { isOver, nameOf } from './run-status.js';
import { outOf } from './verdicts.js';

/** Polling interval for running evaluations, in milliseconds. */
const POLL_MS = 2000;

/** The evaluations of the agent, newest first. */
export function Runs({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'evaluations');
  const list = useList<Evaluation>(path, {}, true);
  const { items } = list;
  const kept = useList<KeptQuestion>(agentPath(agentId, 'evaluation-questions'), { limit: '1' });
  const [name, setName] = useState('');
  const start = useAction();
  usePolling(list, items, !items || items.every(isOver) ? null : POLL_MS);
  const submit = (event: Event) => {
    event.preventDefault();
    void start.run(async () => {
      const body = name.trim() === '' ? {} : { name: name.trim() };
      const { id } = await ask<Evaluation>(path, { method: 'POST', body });
      go('agents', agentId, 'evaluations', id);
    });
  };
  return (
    <section>
      <p class="muted">
        An evaluation asks the agent the questions that you keep, and judges its answers. Run one before and
        after a change, and see what got better or worse.
      </p>
      {kept.total > 0 && (
        <Permitted needs="edit" what="running one">
          <form class="find" onSubmit={submit}>
            <input
              aria-label="Name of the run"
              placeholder="Name (optional), such as “Before the new prices”"
              maxLength={limits.evaluations.name}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <button type="submit" class="primary" disabled={start.busy}>
              Ask {several(kept.total, 'question')}
            </button>
          </form>
        </Permitted>
      )}
      <Problem failure={start.failure} />
      <Problem failure={kept.failure} retry={kept.reload} />
      {kept.items?.length === 0 && (
        <Empty title="No questions are kept yet.">
          <p>
            <a href={to('agents', agentId, 'evaluations', 'questions')}>Add questions</a> whose answers you
            know, or keep one from <a href={to('agents', agentId, 'conversations')}>a conversation</a>.
          </p>
        </Empty>
      )}
      <Rows list={list}>
        {(run) => (
          <li key={run.id}>
            <div>
              <a href={to('agents', agentId, 'evaluations', run.id)}>{nameOf(run)}</a>
              <p class="muted small">
                <When seconds={run.createdAt} /> · {several(run.figures.questions, 'question')} ·{' '}
                {isOver(run)
                  ? `${run.figures.right} right, ${run.figures.partly} partly, ${run.figures.wrong} wrong, ${run.figures.refused} not answered`
                  : `${run.progress} asked`}
              </p>
            </div>
            {run.status === 'completed' ? (
              <span class={run.figures.score === 1 ? 'state ready' : 'state'}>{outOf(run.figures)}</span>
            ) : (
              <Status status={run.status} />
            )}
          </li>
        )}
      </Rows>
    </section>
  );
}
