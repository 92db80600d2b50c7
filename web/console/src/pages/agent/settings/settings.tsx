import type { ComponentChildren } from 'preact';
import { ask } from '../../../api/request.js';
import { type Surroundings, surroundings } from '../../../api/surroundings.js';
import type { Agent, Model, Workspace } from '../../../api/types.js';
import { useLoaded } from '../../../loading.js';
import { Loading, Problem } from '../../../parts/notice.js';
import { ExampleSettings } from '../../../parts/settings-to-copy.js';
import { Tabs } from '../../../parts/tabs.js';
import { SettingsGroup } from '../settings-group.js';
import { History } from '../versions/history.js';
import { Design } from '../widget/design.js';
import { domainNotesOf } from '../widget/domain-notes.js';
import { General } from './general.js';
import { look, type SettingsPage, schedule, settingsPages } from './layout.js';
import { ModelNote, modelChoices } from './model-note.js';
import { Schedule } from './schedule.js';

const HISTORY = { place: 'history', name: 'History' };
const GENERAL = { place: 'general', name: 'General' };

interface SettingsProps {
  agent: Agent;
  /** Last part of the address; null for the first page. */
  place: string | null;
  onChange: (agent: Agent) => void;
}

/** The settings of an agent, page by page. */
export function Settings({ agent, place, onChange }: SettingsProps) {
  const { data, failure, reload } = useLoaded(
    async (signal) => ({
      workspace: await ask<Workspace>('/workspace', { signal }),
      models: (await ask<{ data: Model[] }>('/models', { signal })).data,
      known: await surroundings(),
    }),
    [],
  );
  const page = settingsPages.find((one) => one.place === place);
  const isHistory = place === HISTORY.place;
  const current = page?.place ?? (isHistory ? HISTORY : GENERAL).place;
  return (
    <div class="with-side">
      <Tabs
        name="Settings"
        class="side"
        tabs={[GENERAL, ...settingsPages, HISTORY]}
        current={current}
        base={['agents', agent.id, 'settings']}
      />
      <div>
        <Problem failure={failure} retry={reload} />
        {isHistory && <History agentId={agent.id} />}
        {!page && !isHistory && <General agent={agent} onChange={onChange} />}
        {page && !data && !failure && <Loading />}
        {page && data && <Page key={page.place} page={page} agent={agent} {...data} />}
      </div>
    </div>
  );
}

interface PageProps {
  page: SettingsPage;
  agent: Agent;
  workspace: Workspace;
  models: readonly Model[];
  known: Surroundings;
}

function Page({ page, agent, workspace, models, known }: PageProps) {
  const remark = remarkOn(page, known, workspace);
  if (page === look)
    return (
      <Design agent={agent} workspace={workspace} hasPreview={known.widget !== null} page={page}>
        {remark}
      </Design>
    );
  if (page === schedule) return <Schedule agentId={agent.id} />;
  return (
    <SettingsGroup
      agentId={agent.id}
      page={page}
      choices={{ model: modelChoices(models) }}
      notes={(entries) => ({ ...domainNotesOf(entries), model: <ModelNote models={models} /> })}
    >
      {remark}
    </SettingsGroup>
  );
}

/** Returns a remark on settings that have no effect on this service. */
function remarkOn(
  { group }: SettingsPage,
  { widget }: Surroundings,
  { features, mail }: Workspace,
): ComponentChildren {
  if (group === 'notifications' && !mail.configured)
    return (
      <div class="notice">
        <p>
          <strong>No mail server is connected, so no e-mails are sent.</strong> The operator sets{' '}
          <code>mail.url</code> and <code>mail.from</code>. Your choice is kept.
        </p>
        <ExampleSettings of="mail" />
      </div>
    );
  if (group === 'training' && !features.autoRetrain)
    return <p class="notice">The plan of this workspace does not include automatic reading.</p>;
  if (widget === null && group === 'design')
    return <p class="notice">The widget is off on this service, so its look has no effect.</p>;
  if (widget === null && group === 'security')
    return <p class="notice">The widget is off on this service, so its rules have no effect.</p>;
  return null;
}
