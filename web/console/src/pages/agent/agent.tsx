import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Agent } from '../../api/types.js';
import type { Loaded } from '../../loading.js';
import { type Crumb, Crumbs } from '../../parts/crumbs.js';
import { BelowTitle, Heading } from '../../parts/heading.js';
import { Lazy } from '../../parts/lazy.js';
import { Loading, Problem } from '../../parts/notice.js';
import { may } from '../../parts/permitted.js';
import { openAgent } from '../../parts/sidebar.js';
import { Tabs } from '../../parts/tabs.js';
import { path } from '../../router.js';
import { useTraining, type Watched } from '../../training.js';
import { Ask } from '../ask/ask.js';
import { SourcePage } from '../sources/source.js';
import { Sources } from '../sources/sources.js';
import { ConversationPage } from './conversations/conversation.js';
import { Conversations } from './conversations/conversations.js';
import { evaluationParts } from './evaluations/evaluations.js';
import { Home } from './home/home.js';
import { JobPage } from './job.js';
import { Jobs } from './jobs.js';
import { type AgentPlace, sectionOf } from './sections.js';
import { TrainingReport } from './training-report.js';
import { openDraft } from './versions/draft.js';
import { DraftBar } from './versions/draft-bar.js';

interface PageProps {
  agent: Agent;
  agentId: string;
  /** Next part of the address, for pages with parts. */
  place: string | null;
  training: Watched;
  onChange: (agent: Agent) => void;
}

/** Pages loaded on demand, by place. */
const loaded: Record<string, () => Promise<ComponentType<PageProps>>> = {
  sites: () => import('../sources/sites.js').then(({ Sites }) => Sites),
  questions: () => import('./questions/questions.js').then(({ Questions }) => Questions),
  contacts: () => import('./contacts/contacts.js').then(({ Contacts }) => Contacts),
  evaluations: () => import('./evaluations/evaluations.js').then(({ Evaluations }) => Evaluations),
  statistics: () => import('./statistics/statistics.js').then(({ StatisticsPage }) => StatisticsPage),
  widget: () => import('./widget/widget.js').then(({ WidgetPage }) => WidgetPage),
  share: () => import('./widget/share-link.js').then(({ SharePage }) => SharePage),
  social: () => import('./social/social.js').then(({ SocialPage }) => SocialPage),
  api: () => import('./api-page.js').then(({ ApiPage }) => ApiPage),
  settings: () => import('./settings/settings.js').then(({ Settings }) => Settings),
};

export function AgentPage({ loaded: { data, failure, reload, show } }: { loaded: Loaded<Agent> }) {
  useEffect(() => {
    openAgent.value = data;
  }, [data]);
  if (failure)
    return (
      <>
        <Crumbs crumbs={[['Agents', 'agents']]} />
        <Problem failure={failure} retry={reload} />
      </>
    );
  return data ? <Shown agent={data} show={show} /> : <Loading />;
}

/** Returns whether the address names an item with a page of its own. */
const isItem = ({ place, hasItems }: AgentPlace, item: string | undefined): boolean =>
  hasItems === true &&
  item !== undefined &&
  !(place === 'evaluations' && evaluationParts.some((part) => part.place === item));

function Shown({ agent, show }: { agent: Agent; show: (agent: Agent) => void }) {
  const training = useTraining(agent.id);
  const [, , wanted = 'home', item] = path.value;
  const section = sectionOf(wanted);
  const page = section.places.find(({ place }) => place === wanted) ?? section.places[0];
  const { place } = page;
  const load = loaded[place];
  const base = ['agents', agent.id];
  const isOfItem = isItem(page, item);
  const isHome = place === 'home';
  const crumbs: Crumb[] = [
    ['Agents', 'agents'],
    ...(isHome ? [] : [[agent.name, ...base] as const]),
    ...(isOfItem ? [[page.name, ...base, place] as const] : []),
  ];
  const bars = (
    <>
      <TrainingReport
        agentId={agent.id}
        {...training}
        showsPast={place === 'jobs'}
        isBrief={item !== undefined || (place !== 'sources' && place !== 'jobs')}
      />
      {may('edit') && <DraftBar agentId={agent.id} />}
    </>
  );
  return (
    <BelowTitle.Provider value={isOfItem ? bars : null}>
      <Crumbs crumbs={crumbs} />
      {!isOfItem && (
        <Heading key={place} title={isHome ? agent.name : page.name} of={isHome ? undefined : agent.name} />
      )}
      {!isOfItem && section.places.length > 1 && (
        <Tabs name={section.name} class="tabs" tabs={section.places} current={place} base={base} />
      )}
      {!isOfItem && bars}
      {isHome && <Home agent={agent} ended={training.ended} />}
      {place === 'ask' && (
        <Ask
          agentId={agent.id}
          conversationId={item ?? null}
          isDrafted={openDraft.value !== null && item === undefined}
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
      {load && (
        <Lazy
          key={place}
          load={load}
          props={{ agent, agentId: agent.id, place: item ?? null, training, onChange: show }}
        />
      )}
    </BelowTitle.Provider>
  );
}
