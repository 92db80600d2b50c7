import { agentRoutes } from './agents/agents.routes.js';
import { templateRoutes } from './agents/templates.routes.js';
import { auditRoutes } from './audit/audit.routes.js';
import { socialRoutes } from './channels/social.routes.js';
import { contactRoutes } from './contacts/contacts.routes.js';
import { chatRoutes } from './conversations/chat.routes.js';
import { conversationRoutes } from './conversations/conversations.routes.js';
import { eventRoutes } from './conversations/events.routes.js';
import { handoverRoutes } from './conversations/handover.routes.js';
import { copyRoutes } from './copies/copies.routes.js';
import { draftRoutes } from './drafts/drafts.routes.js';
import { erasureRoutes, personRoutes } from './erasure/erasure.routes.js';
import { evaluationRoutes } from './evaluations/evaluations.routes.js';
import { keptQuestionRoutes } from './evaluations/kept-questions.routes.js';
import { failureRoutes } from './failures/failures.routes.js';
import { homeRoutes } from './home/home.routes.js';
import { inboxRoutes } from './inbox/inbox.routes.js';
import { jobRoutes } from './jobs/jobs.routes.js';
import { keyRoutes } from './keys/keys.routes.js';
import { mailRoutes } from './mail/mail.routes.js';
import { modelRoutes } from './models/models.routes.js';
import { meRoutes } from './people/me.routes.js';
import { memberRoutes } from './people/members.routes.js';
import { pictureRoutes } from './pictures/pictures.routes.js';
import { questionRoutes } from './questions/questions.routes.js';
import type { Route } from './route.js';
import { searchRoutes } from './search/search.routes.js';
import { settingsRoutes } from './settings/settings.routes.js';
import { addSiteRoute, siteRoutes } from './sites/sites.routes.js';
import { fileRoutes } from './sources/files.routes.js';
import { sourceRoutes } from './sources/sources.routes.js';
import { statisticsRoutes } from './statistics/statistics.routes.js';
import { trainingRoutes } from './training/training.routes.js';
import { versionRoutes } from './versions/versions.routes.js';
import { webhookRoutes } from './webhooks/webhooks.routes.js';
import { chatTokenRoutes, identitySecretRoutes } from './widget/visitors.routes.js';
import { workspaceRoutes } from './workspace/workspace.routes.js';

/** The resources below /api/v2, by the name in their paths. The health check is missing, because it needs no key. */
export const resources: Readonly<Record<string, { about: string; routes: readonly Route[] }>> = {
  workspace: {
    about: 'The workspace of the key: plan, allowances, usage',
    routes: [...workspaceRoutes, ...mailRoutes],
  },
  me: { about: 'The caller: a key or a signed-in person, with its rights', routes: meRoutes },
  members: { about: 'People of the workspace, their roles and invitations', routes: memberRoutes },
  keys: { about: 'API keys of the workspace, limited by scope, agents and expiry', routes: keyRoutes },
  audit: { about: 'Changes of the workspace: who, what, when, from where', routes: auditRoutes },
  models: { about: 'Language models: which are available, and whether they answer', routes: modelRoutes },
  webhooks: { about: 'URLs that are notified of events, and the log of deliveries', routes: webhookRoutes },
  agents: {
    about: 'Agents of the workspace. Settings, sources, jobs and conversations belong to one of them',
    routes: agentRoutes,
  },
  home: { about: 'What an agent needs, at a glance', routes: homeRoutes },
  templates: { about: 'Starting points for new agents', routes: templateRoutes },
  settings: {
    about: 'Behaviour and appearance of an agent, by group. A change leaves omitted fields as they are',
    routes: settingsRoutes,
  },
  copy: { about: 'Copies of agents', routes: copyRoutes },
  pictures: { about: 'Pictures for the widget of an agent', routes: pictureRoutes },
  draft: { about: 'Changes of settings that are not live yet', routes: draftRoutes },
  versions: { about: 'History of the settings of an agent, and ways back', routes: versionRoutes },
  sources: {
    about: 'Knowledge of an agent: texts, questions with answers, pages and files. Jobs read pages and files',
    routes: [...sourceRoutes, addSiteRoute, ...fileRoutes],
  },
  sites: { about: 'Whole sites whose pages are sources, and their refresh', routes: siteRoutes },
  failures: { about: 'Pages and files that could not be read', routes: failureRoutes },
  search: { about: 'Passages of the sources that fit a question, without an answer', routes: searchRoutes },
  train: { about: 'Training status of an agent, and retraining of its pages', routes: trainingRoutes },
  jobs: { about: 'Work on pages and files: progress, failures, cancellation, retries', routes: jobRoutes },
  chat: {
    about: 'Questions to an agent, answered from its sources',
    routes: [...chatRoutes, ...chatTokenRoutes],
  },
  'identity-secret': {
    about: "Secret with which a site's server identifies its users to the widget",
    routes: identitySecretRoutes,
  },
  channels: {
    about: 'Social channel of an agent: connection, automations, persistent menu, conversation starters',
    routes: socialRoutes,
  },
  conversations: {
    about: 'Stored and current conversations: follow, stop, retry, rate, export, delete',
    routes: [...conversationRoutes, ...handoverRoutes, ...eventRoutes],
  },
  inbox: { about: 'Conversations that people answer, or may answer', routes: inboxRoutes },
  visitors: { about: 'Deletion and export of the data of a person', routes: personRoutes },
  erasures: { about: 'Progress of deletions of the data of a person', routes: erasureRoutes },
  contacts: { about: 'Contact details that visitors have sent', routes: contactRoutes },
  questions: { about: 'Questions that the sources of an agent do not answer', routes: questionRoutes },
  evaluations: {
    about: 'Questions asked of an agent in the background, with verdicts on its answers',
    routes: evaluationRoutes,
  },
  'evaluation-questions': {
    about: 'Questions that an agent keeps for its evaluations',
    routes: keptQuestionRoutes,
  },
  statistics: { about: 'Questions, answers and cited sources of an agent, by day', routes: statisticsRoutes },
};

/** Path that precedes the paths of the routes. */
export const BASE = '/api/v2';

export const routes = Object.values(resources).flatMap((resource) => resource.routes);
