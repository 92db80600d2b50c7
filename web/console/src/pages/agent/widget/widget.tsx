import type { JsonObject } from '../../../../../../core/schemas/json.js';
import { agentPath, ask } from '../../../api/request.js';
import { type Surroundings, surroundings, widgetOrigin } from '../../../api/surroundings.js';
import type { Agent, Workspace } from '../../../api/types.js';
import { linesOf } from '../../../forms/values.js';
import { useLoaded } from '../../../loading.js';
import { CopyText } from '../../../parts/copy-text.js';
import { Loading, Problem } from '../../../parts/notice.js';
import { count } from '../../../parts/numbers.js';
import { Permitted } from '../../../parts/permitted.js';
import { to } from '../../../router.js';
import { DomainNotes } from './domain-notes.js';
import { IdentitySecret } from './identity-secret.js';
import { Preview, previewSettings } from './preview.js';
import { WidgetOff } from './share-link.js';

interface Security {
  isPrivate?: boolean;
  allowedDomains?: { enabled: boolean; domains: string[] };
}

/** The tag to embed the agent on a website, and the widget's design and access. */
export function WidgetPage({ agent }: { agent: Agent }) {
  const settings = (group: string) => agentPath(agent.id, 'settings', group);
  const { data, failure, reload } = useLoaded(
    async (signal) => {
      const [known, workspace, security, design] = await Promise.all([
        surroundings(),
        ask<Workspace>('/workspace', { signal }),
        ask<Security>(settings('security'), { signal }),
        ask<JsonObject>(settings('design'), { signal }),
      ]);
      return { known, workspace, security, design };
    },
    [agent.id],
  );
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (!data) return <Loading />;
  const { known, workspace, security, design } = data;
  const { widget } = known;
  return (
    <>
      {widget === null ? (
        <WidgetOff />
      ) : (
        <div class="beside">
          <div>
            <Embedding agentId={agent.id} known={known} workspace={workspace} security={security} />
            <Domains agentId={agent.id} security={security} />
            <Permitted needs="identitySecret.view" what="the identity secret">
              <IdentitySecret agentId={agent.id} />
            </Permitted>
          </div>
          <Preview settings={previewSettings(agent, design, workspace.features)}>
            The widget as visitors see it. Colours, greeting and pictures are in the settings, under{' '}
            <a href={to('agents', agent.id, 'settings', 'look')}>Look</a>.
          </Preview>
        </div>
      )}
      <p class="muted small">
        Without effect in this version: <code>features.attachments</code> (visitors send text only),{' '}
        <code>guardrails</code> and <code>channels</code>.
      </p>
    </>
  );
}

interface EmbeddingProps {
  agentId: string;
  known: Surroundings;
  workspace: Workspace;
  security: Security;
}

/** The tag to embed, and a warning if visitors cannot use the agent. */
function Embedding({ agentId, known, workspace, security: { isPrivate = false } }: EmbeddingProps) {
  const { used, limit } = workspace.allowances.visitorMessages;
  const tag = `<script src="${widgetOrigin(known)}/widget.js" data-agent-id="${agentId}" async></script>`;
  return (
    <section class="panel" aria-labelledby="widget-tag">
      <h2 id="widget-tag">Embed</h2>
      {isPrivate && (
        <p class="notice bad">
          This agent is private, so pages show no widget. Turn off Private in its{' '}
          <a href={to('agents', agentId, 'settings', 'access')}>access settings</a>.
        </p>
      )}
      {limit === 0 && (
        <p class="notice bad">
          The plan of this workspace includes no messages of visitors, so pages show no widget. Ask the
          operator for a plan that includes them.
        </p>
      )}
      <p>Add this tag to the pages that should show the agent, anywhere in their HTML.</p>
      <CopyText label="Tag" text={tag} />
      <p class="hint">
        A page with a Content-Security-Policy must allow <code>{widgetOrigin(known)}</code> in{' '}
        <code>script-src</code> and <code>frame-src</code>. Saved changes show when a page is loaded again.
      </p>
      {limit > 0 && (
        <p class="muted small">
          Visitors of this workspace sent {count(used)} of {count(limit)} messages today (UTC).
        </p>
      )}
    </section>
  );
}

function Domains({ agentId, security }: { agentId: string; security: Security }) {
  const { enabled = false, domains = [] } = security.allowedDomains ?? {};
  const known = domains.flatMap(linesOf);
  return (
    <section class="panel" aria-labelledby="widget-domains">
      <h2 id="widget-domains">Sites</h2>
      {enabled ? (
        <>
          <p>Only pages of these sites may embed the agent:</p>
          <ul>
            {known.map((domain) => (
              <li key={domain}>
                <code>{domain}</code>
              </li>
            ))}
          </ul>
          <DomainNotes domains={known} />
        </>
      ) : (
        <p>Every site may embed the agent.</p>
      )}
      <p class="hint">
        Change the allowed domains in the{' '}
        <a href={to('agents', agentId, 'settings', 'access')}>access settings</a>. They keep other sites out,
        but not programs, which can send any address. Rate limits apply to those.
      </p>
    </section>
  );
}
