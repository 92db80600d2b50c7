import { agentPath, ask } from '../../../api/request.js';
import { useAction, useLoaded } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { CopyText } from '../../../parts/copy-text.js';
import { Problem } from '../../../parts/notice.js';
import { may } from '../../../parts/permitted.js';

interface ShareLinkProps {
  agentId: string;
  /** Origin of the widget. */
  origin: string;
  isPrivate: boolean;
}

/** A link that opens the agent on a page of its own, and a switch for it. */
export function ShareLink({ agentId, origin, isPrivate }: ShareLinkProps) {
  const path = agentPath(agentId, 'settings', 'share');
  const { data, failure, reload, show } = useLoaded(
    (signal) => ask<{ enabled?: boolean }>(path, { signal }),
    [path],
  );
  const switching = useAction();
  const enabled = data?.enabled === true;
  const change = async () => {
    await ask(path, { method: 'PATCH', body: { enabled: !enabled } });
    show({ enabled: !enabled });
    confirmDone(enabled ? 'The link no longer works.' : 'The agent is shared.');
  };
  return (
    <section class="panel" aria-labelledby="widget-share">
      <h2 id="widget-share">Share link</h2>
      <p>A page of its own for the agent. Everybody with the link may ask it, without a site of yours.</p>
      <Problem failure={failure ?? switching.failure} retry={reload} />
      {enabled && !isPrivate && <CopyText label="Link" text={`${origin}/chat/${agentId}`} />}
      {enabled && isPrivate && <p class="notice">The agent is private, so the link shows nothing.</p>}
      {data && may('edit') && (
        <button type="button" disabled={switching.busy} onClick={() => switching.run(change)}>
          {enabled ? 'Stop sharing' : 'Share the agent'}
        </button>
      )}
    </section>
  );
}
