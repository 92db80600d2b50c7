import { existing } from '../../errors/api-error.js';
import type { FailedJob, Training } from '../../ports/store/agents/agent-reads.js';
import { responseOf } from '../pipeline/respond-once.js';
import { accepted, ok, type Route, route } from '../route.js';
import { nothingToRetrain, retrainStarted, trainingQuery, trainingStatusSchema } from './training.schema.js';

const presentTraining = ({ lastTrainedAt, documentCount, activeJob }: Training) => ({
  status: activeJob ? 'training' : lastTrainedAt === null ? 'idle' : 'trained',
  documentCount,
  lastTrainedAt,
  activeJob: activeJob && {
    id: String(activeJob.id),
    status: activeJob.status,
    tasksCount: activeJob.tasksCount,
    tasksCompletedCount: activeJob.tasksEnded,
    createdAt: activeJob.createdAt,
  },
});

const presentFailed = ({ job, lastError }: FailedJob) => ({
  id: String(job.id),
  type: job.type,
  status: job.status,
  finishedAt: job.finishedAt,
  tasksFailedCount: job.tasksFailed,
  lastError,
});

export const trainingRoutes: Route[] = [
  route({
    id: 'getTrainingStatus',
    method: 'GET',
    path: '/agents/:agentId/train',
    scope: 'agentId',
    permission: 'view',
    summary: 'Read the training status',
    description:
      'Shows whether a job is in progress, with the numbers of its tasks. A job has failed if all its tasks have failed. `include=lastFailedJob` adds the newest failed job. `listTasks` lists the failures of any job.',
    query: trainingQuery,
    responses: { 200: trainingStatusSchema },
    async handle({ agentId, caller, query, beginWait }, { reads, waits }) {
      const read = async (): Promise<Training> =>
        existing(await reads.training(caller.workspaceId, agentId), 'AGENT_NOT_FOUND');
      const statusOf = async (training: Training) => {
        if (query.include === undefined) return ok(presentTraining(training));
        const failed = await reads.lastFailedJob(agentId);
        return ok({ ...presentTraining(training), lastFailedJob: failed && presentFailed(failed) });
      };
      const training = await read();
      if (query.wait === undefined || !training.activeJob) return statusOf(training);
      await waits.trainingEnds(
        { id: agentId, workspaceId: caller.workspaceId },
        { seconds: query.wait, signal: beginWait() },
      );
      return statusOf(await read());
    },
  }),
  route({
    id: 'retrain',
    method: 'POST',
    path: '/agents/:agentId/train',
    scope: 'agent',
    permission: 'edit',
    summary: 'Retrain all indexed pages',
    description:
      'Starts one job that fetches each indexed page again. If a fetch fails, the page keeps its last text. Texts, Q&A entries and files are not changed. Without indexed pages, the response is 200, and no job is created. Poll the job with `getJob`.',
    responses: { 200: nothingToRetrain, 202: retrainStarted },
    idempotent: 'withIt',
    handle: ({ agent, requestId, idempotency }, { agents }) =>
      responseOf(agents, { agentId: agent.id, idempotency }, { kind: 'retrain', requestId }, ({ job }) => {
        if (!job)
          return ok({
            jobId: null,
            count: 0,
            message: 'There is no indexed page to retrain. Add one first.',
          });
        const pages = job.tasksCount === 1 ? '1 page is' : `${job.tasksCount} pages are`;
        return accepted({
          jobId: String(job.id),
          count: job.tasksCount,
          message: `${pages} being retrained.`,
        });
      }),
  }),
];
