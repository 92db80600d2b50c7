import { useEffect } from 'preact/hooks';
import { agentPath } from '../../api/request.js';
import type { Site } from '../../api/types.js';
import { useList } from '../../loading.js';
import { Total } from '../../parts/filter.js';
import { Empty } from '../../parts/notice.js';
import { Permitted } from '../../parts/permitted.js';
import { Rows } from '../../parts/rows.js';
import type { Watched } from '../../training.js';
import { SiteRow } from './site-row.js';

/** The whole sites whose pages are sources of the agent. */
export function Sites({ agentId, training }: { agentId: string; training: Watched }) {
  const list = useList<Site>(agentPath(agentId, 'sites'));
  const { reload } = list;
  useEffect(() => {
    if (training.ended > 0) reload();
  }, [training.ended]);
  return (
    <section>
      <div class="find">
        <Total list={list} what="site" />
        <Permitted needs="edit" what="changing sites" />
      </div>
      <Rows
        list={list}
        empty={
          <Empty title="No whole sites yet.">
            <p>Add one under Sources: its pages are read, and read again when you refresh it.</p>
          </Empty>
        }
      >
        {(site) => (
          <SiteRow
            key={site.id}
            agentId={agentId}
            site={site}
            ended={training.ended}
            onChange={reload}
            onSubmitted={(jobId) => {
              training.look(jobId);
              reload();
            }}
          />
        )}
      </Rows>
    </section>
  );
}
