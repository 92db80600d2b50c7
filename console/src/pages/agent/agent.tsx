import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../api/request.js';
import type { Agent } from '../../api/types.js';
import { SchemaForm } from '../../forms/schema-form.js';
import { useLoaded } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { Confirm, Dialog } from '../../parts/confirm.js';
import { Heading } from '../../parts/heading.js';
import { Lazy } from '../../parts/lazy.js';
import { Loading, Problem } from '../../parts/notice.js';
import { go, path, to } from '../../router.js';
import { useTraining } from '../../training.js';
import { Ask } from '../ask/ask.js';
import { SourcePage } from '../sources/source.js';
import { Sources } from '../sources/sources.js';
import { Conversations } from './conversations.js';
import { JobPage } from './job.js';
import { Jobs } from './jobs.js';
import { Settings } from './settings.js';
import { TrainingReport } from './training-report.js';

const widgetPage = () => import('./widget/widget.js').then((module) => module.WidgetPage);

const tabs = [
  { place: 'ask', name: 'Ask' },
  { place: 'sources', name: 'Sources' },
  { place: 'conversations', name: 'Conversations' },
  { place: 'jobs', name: 'Jobs' },
  { place: 'widget', name: 'Widget' },
  { place: 'settings', name: 'Settings' },
];

export function AgentPage({ agentId }: { agentId: string }) {
  const { data, failure, reload, show } = useLoaded(
    (signal) => ask<Agent>(agentPath(agentId), { signal }),
    [agentId],
  );
  if (failure)
    return (
      <>
        <Back />
        <Problem failure={failure} retry={reload} />
      </>
    );
  return data ? <Shown agent={data} show={show} /> : <Loading />;
}

const Back = () => (
  <p class="crumb">
    <a href={to('agents')}>Agents</a>
  </p>
);

function Shown({ agent, show }: { agent: Agent; show: (agent: Agent) => void }) {
  const training = useTraining(agent.id);
  const [, , place = 'ask', item] = path.value;
  return (
    <>
      <Back />
      <Heading title={agent.name}>
        <Controls agent={agent} show={show} />
      </Heading>
      <nav class="tabs" aria-label={agent.name}>
        {tabs.map((tab) => (
          <a
            key={tab.place}
            href={to('agents', agent.id, tab.place)}
            aria-current={tab.place === place ? 'page' : undefined}
          >
            {tab.name}
          </a>
        ))}
      </nav>
      <TrainingReport
        agentId={agent.id}
        {...training}
        showsPast={place === 'jobs'}
        isBrief={item !== undefined || (place !== 'sources' && place !== 'jobs')}
      />
      {place === 'ask' && (
        <Ask
          agentId={agent.id}
          conversationId={item ?? null}
          knows={training.status?.documentCount ?? null}
        />
      )}
      {place === 'sources' && item === undefined && <Sources agentId={agent.id} training={training} />}
      {place === 'sources' && item !== undefined && (
        <SourcePage key={item} agentId={agent.id} documentId={item} training={training} />
      )}
      {place === 'conversations' && <Conversations agentId={agent.id} />}
      {place === 'jobs' && item === undefined && <Jobs agentId={agent.id} training={training} />}
      {place === 'jobs' && item !== undefined && (
        <JobPage key={item} agentId={agent.id} jobId={item} training={training} />
      )}
      {place === 'widget' && <Lazy load={widgetPage} props={{ agent }} />}
      {place === 'settings' && <Settings agentId={agent.id} />}
    </>
  );
}

function Controls({ agent, show }: { agent: Agent; show: (agent: Agent) => void }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const save = async (body: object) => {
    show(await ask<Agent>(agentPath(agent.id), { method: 'PATCH', body }));
    announce('Saved.');
    close();
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => setOpen('edit')}>
        Rename
      </button>
      <button type="button" class="danger" onClick={() => setOpen('delete')}>
        Delete
      </button>
      {open === 'edit' && (
        <Dialog title="Name and website" onClose={close}>
          <SchemaForm
            operation="updateAgent"
            stored={{ ...agent }}
            verb="Save"
            send={save}
            onCancel={close}
          />
        </Dialog>
      )}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${agent.name}?`}
          verb="Delete agent"
          work={() => ask(agentPath(agent.id), { method: 'DELETE' })}
          onClose={(done) => {
            close();
            if (!done) return;
            announce(`${agent.name} was deleted.`);
            go('agents');
          }}
        >
          <p>Its sources, settings and conversations are deleted too. This cannot be undone.</p>
        </Confirm>
      )}
    </div>
  );
}
