import { useEffect } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { Draft, Evaluation, ListedVersion, Page } from '../../../api/types.js';
import { useAction, useLoaded } from '../../../loading.js';
import { ConfirmButton } from '../../../parts/confirm.js';
import { Problem } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { go } from '../../../router.js';
import { Differences, nameOf } from './differences.js';
import { openDraft, reportChange, settingsChanged } from './draft.js';

/** The changes that are not published, on every page of the agent. Needs the permission to edit. */
export function DraftBar({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'draft');
  const round = settingsChanged.value;
  const draft = useLoaded((signal) => ask<Draft>(path, { signal }), [path, round]);
  const { data } = draft;
  const { busy, failure, run } = useAction();
  const isDrafted = data !== null && data.changes.length > 0;
  useEffect(() => {
    openDraft.value = isDrafted ? data : null;
    return () => {
      openDraft.value = null;
    };
  }, [data]);
  if (!isDrafted) return <Problem failure={draft.failure} retry={draft.reload} />;
  const { changes, conflicts } = data;
  const evaluate = () =>
    run(async () => {
      const { id } = await ask<Evaluation>(`${path}/evaluate`, { method: 'POST' });
      go('agents', agentId, 'evaluations', id);
    });
  const publish = async () => {
    const query = { limit: 1 };
    const newest = await ask<Page<ListedVersion>>(agentPath(agentId, 'versions'), { query });
    const body = conflicts.length > 0 ? { base: newest.data[0]?.number } : {};
    await ask(`${path}/publish`, { method: 'POST', body });
  };
  return (
    <section class="notice draft" aria-label="Draft">
      <details>
        <summary>{several(changes.length, 'change')} not published</summary>
        <Differences
          changes={changes.map(({ field, live, draft }) => ({ field, before: live, after: draft }))}
        />
      </details>
      <div class="actions">
        <button type="button" class="quiet" disabled={busy} onClick={() => void evaluate()}>
          Evaluate
        </button>
        <ConfirmButton
          label="Discard"
          class="quiet"
          title="Discard the draft?"
          verb="Discard draft"
          work={() => ask(path, { method: 'DELETE' })}
          done="The draft was discarded."
          onDone={reportChange}
        >
          <p>The live settings stay as they are.</p>
        </ConfirmButton>
        <ConfirmButton
          label="Publish"
          class="primary"
          title={`Publish ${several(changes.length, 'change')}?`}
          verb="Publish changes"
          isSafe
          work={publish}
          done="The changes are live."
          onDone={reportChange}
        >
          {conflicts.length > 0 && (
            <p class="notice bad">
              Somebody has changed {conflicts.map(nameOf).join(', ')} since the draft was made. The values of
              the draft replace theirs.
            </p>
          )}
          <p>Visitors get them at once. The history keeps the settings of before.</p>
        </ConfirmButton>
      </div>
      <Problem failure={failure} />
    </section>
  );
}
