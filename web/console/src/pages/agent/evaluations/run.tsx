import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { Evaluation, EvaluationDetail } from '../../../api/types.js';
import { useAction, useList, useLoaded, usePolling } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { Progress, When } from '../../../parts/figures.js';
import { Heading } from '../../../parts/heading.js';
import { Loading, Problem } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { Status } from '../../../parts/outcome.js';
import { Permitted } from '../../../parts/permitted.js';
import { Select } from '../../../parts/select.js';
import { go } from '../../../router.js';
import { Results } from './results.js';
import { isOver, nameOf } from './run-status.js';
import { outOf } from './verdicts.js';

/** Polling interval for a running evaluation, in milliseconds. */
const POLL_MS = 1000;

/** One evaluation: its figures by type, changes since another evaluation, and its results. */
export function RunPage({ agentId, runId }: { agentId: string; runId: string }) {
  const path = agentPath(agentId, 'evaluations', runId);
  const runs = useList<Evaluation>(agentPath(agentId, 'evaluations'), {}, true);
  const earlier = runs.items?.filter(({ id }) => id < runId) ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const compareTo = chosen ?? earlier.find(({ status }) => status === 'completed')?.id ?? '';
  const { data, failure, reload } = useLoaded(
    (signal) => ask<EvaluationDetail>(path, { query: { compareTo }, signal }),
    [path, compareTo],
  );
  usePolling({ failure, reload }, data, !data || isOver(data) ? null : POLL_MS);
  return (
    <section>
      <Problem failure={failure} retry={reload} />
      <Problem failure={runs.failure} retry={runs.reload} />
      {!data && !failure && <Loading />}
      {data && (
        <>
          <Heading title={nameOf(data)}>
            <Status status={data.status} />
            <Permitted needs="edit" what="changing it">
              <Controls path={path} run={data} agentId={agentId} onChange={reload} />
            </Permitted>
          </Heading>
          <p class="muted small">
            Started <When seconds={data.createdAt} />
            {data.endedAt !== null && (
              <>
                , ended <When seconds={data.endedAt} />
              </>
            )}
          </p>
          {!isOver(data) && (
            <Progress label="Questions" value={data.progress} max={data.figures.questions}>
              {data.progress} of {data.figures.questions}
            </Progress>
          )}
          <Figures run={data} />
          {earlier.length > 0 && (
            <p class="find">
              <label for="compare-to">Compare with</label>
              <Select
                id="compare-to"
                value={compareTo}
                choices={[
                  ['', 'no other run'],
                  ...earlier.map(
                    (run) =>
                      [
                        run.id,
                        `${nameOf(run)} (${outOf(run.figures)}), ${new Date(run.createdAt * 1000).toLocaleString()}`,
                      ] as const,
                  ),
                ]}
                onChange={setChosen}
              />
            </p>
          )}
          <Results
            key={compareTo}
            path={`${path}/results`}
            compareTo={compareTo}
            comparison={data.comparison ?? null}
            round={data.progress}
          />
        </>
      )}
    </section>
  );
}

const columns = ['questions', 'right', 'partly', 'wrong', 'refused', 'failed'] as const;

function Figures({ run: { figures, types } }: { run: EvaluationDetail }) {
  const rows = [...types, ...(types.length > 1 ? [{ type: 'All', figures }] : [])];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="panel wide" tabIndex={0} aria-label="Results by type of question">
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">Questions</th>
            <th scope="col">Right</th>
            <th scope="col">Partly</th>
            <th scope="col">Wrong</th>
            <th scope="col">Not answered</th>
            <th scope="col">Failed</th>
            <th scope="col">Passed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.type}>
              <th scope="row">{row.type}</th>
              {columns.map((column) => (
                <td key={column}>{row.figures[column]}</td>
              ))}
              <td>
                <strong>{outOf(row.figures)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ControlsProps {
  path: string;
  run: EvaluationDetail;
  agentId: string;
  onChange: () => void;
}

/** Buttons to cancel a running evaluation or delete an ended one. */
function Controls({ path, run, agentId, onChange }: ControlsProps) {
  const { busy, failure, run: start } = useAction();
  const cancel = () =>
    start(async () => {
      await ask(`${path}/cancel`, { method: 'POST' });
      confirmDone('The evaluation was cancelled.');
      onChange();
    });
  return (
    <>
      <div class="actions">
        {!isOver(run) && (
          <button type="button" disabled={busy} onClick={() => void cancel()}>
            Cancel it
          </button>
        )}
        <ConfirmButton
          label="Delete"
          title={`Delete ${nameOf(run)}?`}
          verb="Delete evaluation"
          work={() => ask(path, { method: 'DELETE' })}
          done="The evaluation was deleted."
          onDone={() => go('agents', agentId, 'evaluations')}
        >
          <p>Its {several(run.figures.questions, 'result')} are deleted. The questions that you keep stay.</p>
        </ConfirmButton>
      </div>
      <Problem failure={failure} />
    </>
  );
}
