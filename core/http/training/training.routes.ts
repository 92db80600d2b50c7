import { documentCount } from '../../actors/agent/state.js';
import { ApiError } from '../../errors/api-error.js';
import type { AgentState, JobRow } from '../../ports/store/rows.js';
import { answerOf } from '../answer-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import { nothingToRetrain, retrainStarted, trainingQuery, trainingStatusSchema } from './training.schema.js';

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
    id: 'getTrainingStatus',
    method: 'GET',
    path: '/agents/:agentId/train',
    scope: 'agent',
    summary: 'Read the training status',
    query: trainingQuery,
    responses: { 200: trainingStatusSchema },
    async handle({ agent, query, signal }, { reads, waits }) {
      const activeJob = await reads.activeJob(agent.id);
      if (query.wait === undefined || !activeJob) return ok(presentTraining(agent, activeJob));
      await waits.trainingEnds(agent, { seconds: query.wait, signal: signal() });
      const after = await reads.agent(agent.workspaceId, agent.id);
      if (!after) throw new ApiError('AGENT_NOT_FOUND');
      return ok(presentTraining(after, await reads.activeJob(agent.id)));
    },
  }),
  route({
    id: 'retrain',
    method: 'POST',
    path: '/agents/:agentId/train',
    scope: 'agent',
    summary: 'Renew all indexed pages',
    responses: { 200: nothingToRetrain, 202: retrainStarted },
    idempotent: 'withIt',
    handle: ({ agent, requestId, idempotency }, { agents }) =>
      answerOf(agents, { agentId: agent.id, idempotency }, { kind: 'retrain', requestId }, ({ job }) => {
        if (!job) return ok({ jobId: null, count: 0, message: 'There is no indexed page to renew.' });
        const pages = job.tasksCount === 1 ? '1 page is' : `${job.tasksCount} pages are`;
        return accepted({ jobId: String(job.id), count: job.tasksCount, message: `${pages} being renewed.` });
      }),
  }),
];
