import type { Source } from '../../api/types.js';
import { useAction } from '../../loading.js';
import { confirmDone } from '../../parts/announce.js';
import { Problem } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { deleteSources } from './deletion.js';
import { readAgain, urlIn } from './source-actions.js';

interface SelectionProps {
  agentId: string;
  /** The selected sources. */
  sources: readonly Source[];
  onNone: () => void;
  /** Called with the last job that reads pages. */
  onSubmitted: (jobId: string) => void;
}

/** A bar that deletes the selected sources or reads them again. */
export function Selection({ agentId, sources, onNone, onSubmitted }: SelectionProps) {
  const { busy, failure, run } = useAction();
  const urls = sources.flatMap((source) => urlIn(source) ?? []);
  const renew = () =>
    run(async () => {
      let last = '';
      for (const url of urls) last = await readAgain(agentId, url);
      confirmDone(`${several(urls.length, 'page')} will be read again.`);
      onNone();
      onSubmitted(last);
    });
  if (sources.length === 0) return null;
  return (
    <section class="actions unsaved" aria-label="Selection">
      <span class="muted">{sources.length} selected</span>
      <Problem failure={failure} />
      <button type="button" onClick={onNone}>
        Select none
      </button>
      {urls.length > 0 && (
        <button type="button" disabled={busy} onClick={() => void renew()}>
          Read {several(urls.length, 'page')} again
        </button>
      )}
      <button
        type="button"
        class="danger"
        onClick={() => {
          deleteSources(agentId, sources);
          onNone();
        }}
      >
        Delete {several(sources.length, 'source')}
      </button>
    </section>
  );
}
