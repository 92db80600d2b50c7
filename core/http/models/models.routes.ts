import { testModel } from '../../chat/test-model.js';
import { failureOf } from '../../conversations/answer-failures.js';
import { ApiError } from '../../errors/api-error.js';
import type { Model } from '../../ports/model.port.js';
import { limits } from '../../schemas/limits.js';
import { models } from '../../schemas/models.js';
import { allowsModel, type Entitlements } from '../../workspaces/entitlements.js';
import { ok, type Route, route } from '../route.js';
import { modelsSchema, modelTestSchema, testModelBody } from './models.schema.js';

const isConfigured = (model: Pick<Model, 'describe'>, name: string): boolean =>
  model.describe(name)?.extractive === false;

const presentModel = (
  model: Pick<Model, 'describe'>,
  name: (typeof models)[number],
  { entitlements, defaultModel }: { entitlements: Entitlements; defaultModel: string },
) => {
  const configured = isConfigured(model, name);
  return {
    model: name,
    allowed: allowsModel(entitlements.models, name),
    configured,
    provider: configured ? (model.describe(name)?.provider ?? null) : null,
    default: name === defaultModel,
  };
};

const notConfigured = {
  code: 'MODEL_REFUSED',
  message: 'No provider is connected for this model. Ask the operator to configure one.',
};

export const modelRoutes: Route[] = [
  route({
    id: 'listModels',
    method: 'GET',
    path: '/models',
    extension: true,
    scope: 'workspace',
    permission: 'view',
    summary: 'List the models, and show which of them the plan includes and the operator has configured',
    description:
      'Agents select a model with `updateAiSettings`. `testModel` shows whether a configured model answers.',
    responses: { 200: modelsSchema },
    async handle({ caller }, { ports, models: { defaultModel } }) {
      const { entitlements } = caller;
      const all = models.map((name) => presentModel(ports.model, name, { entitlements, defaultModel }));
      return ok({
        data: [...all.filter(({ configured }) => configured), ...all.filter(({ configured }) => !configured)],
      });
    },
  }),
  route({
    id: 'testModel',
    method: 'POST',
    path: '/models/test',
    extension: true,
    scope: 'workspace',
    permission: 'models.test',
    summary: 'Ask a model for a few tokens, to see whether it answers',
    description: `Sends a short prompt to the provider, which may cost money. Nothing is stored. A workspace can make ${limits.modelTestsPerMinute} tests a minute; more are refused (400).`,
    body: testModelBody,
    responses: { 200: modelTestSchema },
    async handle({ caller, body, requestId, beginWait }, { ports, models: { countTest }, clock }) {
      if (!allowsModel(caller.entitlements.models, body.model)) throw new ApiError('CHAT_MODEL_NOT_ALLOWED');
      await countTest(caller.workspaceId, clock.now());
      const { latencyMs, code } = await testModel(ports.model, body.model, {
        requestId,
        signal: beginWait(),
      });
      const failure = isConfigured(ports.model, body.model) ? code && failureOf(code) : notConfigured;
      return ok({ ok: failure === null, latencyMs, error: failure });
    },
  }),
];
