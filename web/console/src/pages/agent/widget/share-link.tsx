import { agentPath, ask } from '../../../api/request.js';
import { surroundings, widgetOrigin } from '../../../api/surroundings.js';
import { useAction, useLoaded } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { CopyText } from '../../../parts/copy-text.js';
import { Loading, Problem } from '../../../parts/notice.js';
import { Permitted } from '../../../parts/permitted.js';
import { ExampleSettings } from '../../../parts/settings-to-copy.js';

/** A link that opens the agent on a page of its own, and a switch for it. */
export function SharePage({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'settings', 'share');
  const { data, failure, reload, show } = useLoaded(
    async (signal) => {
      const [share, security, known] = await Promise.all([
        ask<{ enabled?: boolean }>(path, { signal }),
        ask<{ isPrivate?: boolean }>(agentPath(agentId, 'settings', 'security'), { signal }),
        surroundings(),
      ]);
      return { enabled: share.enabled === true, isPrivate: security.isPrivate === true, known };
    },
    [path],
  );
  const switching = useAction();
  if (!data) return failure ? <Problem failure={failure} retry={reload} /> : <Loading />;
  const { enabled, isPrivate, known } = data;
  const url = `${widgetOrigin(known)}/chat/${agentId}`;
  const change = async () => {
    await ask(path, { method: 'PATCH', body: { enabled: !enabled } });
    show({ ...data, enabled: !enabled });
    confirmDone(enabled ? 'The link no longer works.' : 'The agent is shared.');
  };
  if (known.widget === null) return <WidgetOff />;
  return (
    <div class="settings">
      <section class="panel" aria-labelledby="share">
        <h2 id="share">A page of its own</h2>
        <p>Everybody with the link may ask the agent, without a site of yours.</p>
        <Problem failure={switching.failure} />
        {enabled && !isPrivate && (
          <>
            <CopyText label="Link" text={url} />
            <p>
              <a href={url} target="_blank" rel="noreferrer noopener">
                Open it (new tab)
              </a>
            </p>
          </>
        )}
        {enabled && isPrivate && <p class="notice">The agent is private, so the link shows nothing.</p>}
        <Permitted needs="edit" what="sharing it">
          <button
            type="button"
            class={enabled ? '' : 'primary'}
            disabled={switching.busy}
            onClick={() => switching.run(change)}
          >
            {enabled ? 'Stop sharing' : 'Share the agent'}
          </button>
        </Permitted>
      </section>
    </div>
  );
}

export const WidgetOff = () => (
  <div class="notice">
    <p>
      The widget is disabled on this service. Its operator can enable it with the setting{' '}
      <code>widget.enabled</code>.
    </p>
    <ExampleSettings of="widget" />
  </div>
);
