import { agentRoutes } from './agents/agents.routes.js';
import { chatRoutes } from './conversations/chat.routes.js';
import { conversationRoutes } from './conversations/conversations.routes.js';
import { jobRoutes } from './jobs/jobs.routes.js';
import type { Route } from './route.js';
import { searchRoutes } from './search/search.routes.js';
import { settingsRoutes } from './settings/settings.routes.js';
import { fileRoutes } from './sources/files.routes.js';
import { sourceRoutes } from './sources/sources.routes.js';
import { trainingRoutes } from './training/training.routes.js';
import { webhookRoutes } from './webhooks/webhooks.routes.js';
import { workspaceRoutes } from './workspace/workspace.routes.js';

/** Every endpoint below /api/v2, except the health check, which takes no key. */
export const routes: readonly Route[] = [
  ...workspaceRoutes,
  ...webhookRoutes,
  ...agentRoutes,
  ...settingsRoutes,
  ...sourceRoutes,
  ...fileRoutes,
  ...searchRoutes,
  ...trainingRoutes,
  ...jobRoutes,
  ...chatRoutes,
  ...conversationRoutes,
];
