import { responseOf } from '../pipeline/respond-once.js';
import { accepted, type Route, route } from '../route.js';
import { copyAccepted, copyAgentBody } from './copies.schema.js';

export const copyRoutes: Route[] = [
  route({
    id: 'copyAgent',
    method: 'POST',
    path: '/agents/:agentId/copy',
    extension: true,
    scope: 'agent',
    permission: 'agents.create',
    summary: 'Copy an agent with its settings, pictures and kept questions, and with its sources if wanted',
    description:
      'Starts a job of the new agent: poll it with `getJob`. The allowances for the agent and its storage are reserved at once. The new agent appears when the job has ended; until then, only its jobs are found. If the job is cancelled or fails, neither is found any more, and the allowances are released. Settings that the plan refuses are left out, and the job names them in `leftOut`. The copy is not shared by a link. Conversations, contacts, statistics, versions, draft, keys, identity secret and channels are not copied. Sources are copied as they are: nothing is fetched.',
    body: copyAgentBody,
    bodyOptional: true,
    idempotent: 'withIt',
    responses: { 202: copyAccepted },
    refusals: ['QUOTA_CHATBOT_LIMIT', 'QUOTA_STORAGE_LIMIT'],
    async handle({ agent, body, requestId, idempotency }, { agents, copying }) {
      const { name = null, sources: isWithSources = false } = body ?? {};
      const message = { kind: 'copyAgent', name, isWithSources, requestId } as const;
      const response = await responseOf(
        agents,
        { agentId: agent.id, idempotency },
        message,
        ({ agentId, job }) => accepted({ jobId: String(job.id), agentId }),
      );
      copying.soon();
      return response;
    },
  }),
];
