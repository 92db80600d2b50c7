import { agentPath, ask } from '../../api/request.js';
import type { Agent } from '../../api/types.js';
import { useLoaded } from '../../loading.js';
import { Heading } from '../../parts/heading.js';
import { Lazy } from '../../parts/lazy.js';
import { Loading, Problem } from '../../parts/notice.js';
import { Tabs } from '../../parts/tabs.js';
import { path, to } from '../../router.js';
import { useTraining } from '../../training.js';
import { Ask } from '../ask/ask.js';
import { SourcePage } from '../sources/source.js';
import { Sources } from '../sources/sources.js';
import { ConversationPage } from './conversations/conversation.js';
import { Conversations } from './conversations/conversations.js';
import { JobPage } from './job.js';
import { Jobs } from './jobs.js';
import { agentTabs } from './tabs.js';
import { TrainingReport } from './training-report.js';

const widgetPage = () => import('./widget/widget.js').then((module) => module.WidgetPage);
const socialPage = () => import('./social/social.js').then((module) => module.SocialPage);
const evaluationsPage = () => import('./evaluations/evaluations.js').then((module) => module.Evaluations);
const questionsPage = () => import('./questions/questions.js').then((module) => module.Questions);
const contactsPage = () => import('./contacts/contacts.js').then((module) => module.Contacts);
const statisticsPage = () => import('./statistics/statistics.js').then((module) => module.StatisticsPage);
const settingsPage = () => import('./settings/settings.js').then((module) => module.Settings);

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
      <Heading title={agent.name} />
      <Tabs name={agent.name} class="tabs" tabs={agentTabs} current={place} base={['agents', agent.id]} />
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
      {place === 'conversations' && item === undefined && <Conversations agentId={agent.id} />}
      {place === 'conversations' && item !== undefined && (
        <ConversationPage key={item} agentId={agent.id} conversationId={item} />
      )}
      {place === 'jobs' && item === undefined && <Jobs agentId={agent.id} training={training} />}
      {place === 'jobs' && item !== undefined && (
        <JobPage key={item} agentId={agent.id} jobId={item} training={training} />
      )}
      {place === 'questions' && (
        <Lazy load={questionsPage} props={{ agentId: agent.id, asked: item ?? null }} />
      )}
      {place === 'contacts' && <Lazy load={contactsPage} props={{ agentId: agent.id }} />}
      {place === 'evaluations' && (
        <Lazy load={evaluationsPage} props={{ agentId: agent.id, place: item ?? null }} />
      )}
      {place === 'statistics' && <Lazy load={statisticsPage} props={{ agentId: agent.id }} />}
      {place === 'widget' && <Lazy load={widgetPage} props={{ agent }} />}
      {place === 'social' && <Lazy load={socialPage} props={{ agentId: agent.id, place: item ?? null }} />}
      {place === 'settings' && (
        <Lazy load={settingsPage} props={{ agent, place: item ?? null, onChange: show }} />
      )}
    </>
  );
}
