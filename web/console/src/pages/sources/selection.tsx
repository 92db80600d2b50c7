import { agentPath, ask } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { useAction } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { deleteSources } from './deletion.js';

interface SelectionProps {
  agentId: string;
  /** The selected sources. */
  sources: readonly Source[];
  isAll: boolean;
  onAll: (isSelected: boolean) => void;
  /** Called with the last job that reads pages. */
  onSubmitted: (jobId: string) => void;
}

/** Selects all sources. Deletes the selected ones or reads them again. */
export function Selection({ agentId, sources, isAll, onAll, onSubmitted }: SelectionProps) {
  const { busy, failure, run } = useAction();
  const urls = sources.flatMap(({ sourceMetadata }) => ('url' in sourceMetadata ? sourceMetadata.url : []));
  const renew = () =>
    run(async () => {
      let last = '';
      for (const url of urls)
        last = (
          await ask<{ jobId: string }>(agentPath(agentId, 'sources', 'url'), {
            method: 'POST',
            body: { url },
          })
        ).jobId;
      confirmDone(`${several(urls.length, 'page')} will be read again.`);
      onAll(false);
      onSubmitted(last);
    });
  return (
    <>
      <div class="selection">
        <label class="tick">
          <input type="checkbox" checked={isAll} onChange={(event) => onAll(event.currentTarget.checked)} />
          {sources.length === 0 ? 'Select all' : `${sources.length} selected`}
        </label>
        {urls.length > 0 && (
          <button type="button" disabled={busy} onClick={() => void renew()}>
            Read {several(urls.length, 'page')} again
          </button>
        )}
        {sources.length > 0 && (
          <button
            type="button"
            class="danger"
            onClick={() => {
              deleteSources(agentId, sources);
              onAll(false);
            }}
          >
            Delete {several(sources.length, 'source')}
          </button>
        )}
      </div>
      <Problem failure={failure} />
    </>
  );
}
