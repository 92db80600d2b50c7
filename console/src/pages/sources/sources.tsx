import { useEffect, useState } from 'preact/hooks';
import { type SourceType, sourceTypeFacts, sourceTypes } from '../../../../core/knowledge/source-types.js';
import { agentPath } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { useList } from '../../loading.js';
import { When } from '../../parts/figures.js';
import { Empty, Loading, More, Problem } from '../../parts/notice.js';
import { several } from '../../parts/numbers.js';
import { to } from '../../router.js';
import type { Watched } from '../../training.js';
import { Add } from './add.js';
import { Files } from './files.js';

/** The agent's sources, and forms to add more. */
export function Sources({ agentId, training }: { agentId: string; training: Watched }) {
  const [sourceType, setSourceType] = useState<SourceType | ''>('');
  const { items, total, more, failure, reload } = useList<Source>(
    agentPath(agentId, 'sources'),
    sourceType ? { sourceType } : {},
  );
  useEffect(() => {
    if (training.ended > 0) reload();
  }, [training.ended]);
  return (
    <>
      <section class="panel">
        <h2>Teach the agent</h2>
        <Add agentId={agentId} onStored={reload} onSubmitted={training.look} />
        <Files agentId={agentId} ended={training.ended} onSubmitted={training.look} />
      </section>
      <section>
        <div class="find">
          <h2>Sources</h2>
          <label for="source-type">Show</label>
          <select
            id="source-type"
            value={sourceType}
            onChange={(event) => setSourceType(event.currentTarget.value as SourceType | '')}
          >
            <option value="">all</option>
            {sourceTypes.map((type) => (
              <option key={type} value={type}>
                {sourceTypeFacts[type].label}
              </option>
            ))}
          </select>
          <span class="muted" role="status">
            {items && several(total, 'source')}
          </span>
        </div>
        <Problem failure={failure} retry={reload} />
        {!items && !failure && <Loading />}
        {items?.length === 0 && (
          <Empty title="No sources of this type yet.">
            <p>Add a text, a question with its answer, a page, or files above.</p>
          </Empty>
        )}
        <ul class="rows">
          {items?.map(({ id, title, sourceType: type, createdAt, lastCrawledAt }) => (
            <li key={id}>
              <div>
                <a href={to('agents', agentId, 'sources', id)}>{title}</a>
                <p class="muted small">
                  added <When seconds={createdAt} />
                  {lastCrawledAt !== null && (
                    <>
                      , read <When seconds={lastCrawledAt} />
                    </>
                  )}
                </p>
              </div>
              <span class="state">{sourceTypeFacts[type].label}</span>
            </li>
          ))}
        </ul>
        <More more={more} />
      </section>
    </>
  );
}
