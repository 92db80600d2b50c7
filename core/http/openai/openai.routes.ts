import { invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { AgentState } from '../../ports/store/rows.js';
import { agentOfKey, agentsOfKey } from '../agents/agents-of-key.js';
import { awaitAnswer, endOf } from '../conversations/answer-in-progress.js';
import { ok, okInSlices, type Route, route } from '../route.js';
import { beginCompletion } from './begin-completion.js';
import { completionFrame, completionStream, presentCompletion } from './completion.js';
import {
  completionBody,
  completionSchema,
  modelListSchema,
  modelSchema,
  refusedParameters,
} from './completions.schema.js';
import { sentToolProblems } from './sent-tools.js';

/** Maximum number of listed agents, because the list of the protocol has no pages. Older agents can still be asked. */
const MOST_MODELS = 1000;

const presentModel = ({ id, name, createdAt }: AgentState) => ({
  id,
  object: 'model' as const,
  created: createdAt,
  owned_by: 'cadre',
  name,
});

/** Returns whether a parameter has an effect. null has none, and neither has an empty `stop`. */
const isSet = (name: string, value: unknown): boolean =>
  value != null && !(name === 'stop' && Array.isArray(value) && value.length === 0);

/** Routes below /openai/v1. Their documentation is docs/openai.md, because the protocol is not ours. */
export const openAiRoutes: Route[] = [
  route({
    id: 'listModels',
    method: 'GET',
    path: '/models',
    scope: 'workspace',
    permission: 'agents.view',
    summary: 'List the agents of the key as models, newest first',
    description: 'The id of a model is the id of an agent.',
    responses: { 200: modelListSchema },
    async handle({ caller }, { reads }) {
      const agents = await agentsOfKey(reads, caller, MOST_MODELS);
      const data = agents.slice(0, MOST_MODELS).map(presentModel);
      return okInSlices({ object: 'list', data, has_more: agents.length > MOST_MODELS });
    },
  }),
  route({
    id: 'getModel',
    method: 'GET',
    path: '/models/:model',
    scope: 'workspace',
    permission: 'agents.view',
    summary: 'Return an agent as a model',
    description: 'The id of the model is the id of the agent.',
    responses: { 200: modelSchema },
    handle: async ({ caller, params }, { reads }) =>
      ok(presentModel((await agentOfKey(reads, caller, params.model ?? '')).agent)),
  }),
  route({
    id: 'createChatCompletion',
    method: 'POST',
    path: '/chat/completions',
    scope: 'workspace',
    permission: 'chat',
    summary: 'Answer a conversation',
    description:
      'The agent answers the last message. Nothing is stored, unless `metadata.conversation_id` or `store` says so.',
    body: completionBody,
    problems: { tools: sentToolProblems },
    idempotent: 'itself',
    streams: true,
    responses: { 200: completionSchema },
    async handle(request, services) {
      const { body, caller } = request;
      for (const name of refusedParameters)
        if (isSet(name, (body as Record<string, unknown>)[name]))
          throw invalidField(name, 'is not supported');
      const { agent, settings } = await agentOfKey(services.reads, caller, body.model);
      const { answer, ignored } = await beginCompletion(services, { ...request, agent, settings });
      // The body stays in memory as long as the request. Drop its messages: the answer has copies of all that it needs.
      body.messages.length = 0;
      request.reserve(0);
      const frame = completionFrame(agent.id, seconds(services.clock.now()));
      awaitAnswer(request, answer);
      if (!body.stream)
        return okInSlices(presentCompletion(frame, await endOf(answer), { ...answer, ignored }));
      const { keepAliveMs } = services.chat;
      const includeUsage = body.stream_options?.include_usage === true;
      return {
        status: 200,
        events(signal) {
          signal.addEventListener('abort', answer.stop, { once: true });
          return completionStream(frame, answer, { keepAliveMs, signal, includeUsage, ignored });
        },
      };
    },
  }),
];
