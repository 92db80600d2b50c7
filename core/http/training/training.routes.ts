import { documentCount } from '../../actors/agent/state.js';
import type { AgentState, JobRow } from '../../ports/store/rows.js';
import { accepted, ok, type Route, route } from '../route.js';
import { nothingToRetrain, retrainStarted, trainingStatusSchema } from './training.schema.js';

const presentTraining = (agent: AgentState, activeJob: JobRow | null) => ({
  status: activeJob ? 'training' : agent.lastTrainedAt === null ? 'idle' : 'trained',
  documentCount: documentCount(agent),
  lastTrainedAt: agent.lastTrainedAt,
  activeJob: activeJob && {
    id: String(activeJob.id),
    status: activeJob.status,
    tasksCount: activeJob.tasksCount,
    tasksCompletedCount: activeJob.tasksEnded,
    createdAt: activeJob.createdAt,
  },
});

export const trainingRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/agents/:agentId/train',
    scope: 'agent',
    summary: 'Read the training status',
    responses: { 200: trainingStatusSchema },
    handle: async ({ agent }, { reads }) => ok(presentTraining(agent, await reads.activeJob(agent.id))),
  }),
  route({
    method: 'POST',
    path: '/agents/:agentId/train',
    scope: 'agent',
    summary: 'Renew all indexed pages',
    responses: { 200: nothingToRetrain, 202: retrainStarted },
    async handle({ agent, requestId }, { agents }) {
      const { job } = await agents.ask(agent.id, { kind: 'retrain', requestId });
      if (!job) return ok({ jobId: null, count: 0, message: 'There is no indexed page to renew.' });
      const pages = job.tasksCount === 1 ? '1 page is' : `${job.tasksCount} pages are`;
      return accepted({ jobId: String(job.id), count: job.tasksCount, message: `${pages} being renewed.` });
    },
  }),
];
