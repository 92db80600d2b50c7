import type { ComponentChildren } from 'preact';
import { description } from '../../api/description.js';
import { ask } from '../../api/request.js';
import type { Workspace } from '../../api/types.js';
import { useLoaded } from '../../loading.js';
import { Loading, Problem } from '../../parts/notice.js';
import { to } from '../../router.js';
import { SettingsGroup } from './settings-group.js';
import { domainNotesOf } from './widget/domain-notes.js';

const PREFIX = '/agents/{agentId}/settings/';

/** Group with a form on another page. */
const DESIGN = 'design';

/** All groups of settings in the API. */
async function groups(): Promise<{ name: string; operation: string }[]> {
  const { paths } = await description();
  return Object.entries(paths).flatMap(([path, { patch }]) =>
    path.startsWith(PREFIX) && patch
      ? [{ name: path.slice(PREFIX.length), operation: patch.operationId }]
      : [],
  );
}

/** About groups, by name. */
const remarks: Record<string, ComponentChildren> = {
  notifications: <p class="notice">These settings have no effect yet: the service sends no e-mails.</p>,
};

export function Settings({ agentId }: { agentId: string }) {
  const { data, failure, reload } = useLoaded(groups, []);
  const workspace = useLoaded((signal) => ask<Workspace>('/workspace', { signal }), []);
  if (failure) return <Problem failure={failure} retry={reload} />;
  if (!data) return <Loading />;
  return (
    <div class="settings">
      {data
        .filter(({ name }) => name !== DESIGN)
        .map(({ name, operation }) => (
          <SettingsGroup
            key={name}
            agentId={agentId}
            name={name}
            operation={operation}
            allowed={{ model: workspace.data?.models }}
            {...(name === 'security' ? { notes: domainNotesOf } : {})}
          >
            {remarks[name]}
          </SettingsGroup>
        ))}
      <p class="muted">
        The design of the widget is on the page <a href={to('agents', agentId, 'widget')}>Widget</a>.
      </p>
    </div>
  );
}
