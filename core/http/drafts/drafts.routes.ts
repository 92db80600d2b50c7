import { draftChanges, withDraft } from '../../agent-settings/draft.js';
import { changeWithUrls } from '../../agent-settings/picture-fields.js';
import { existing } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { DraftRow } from '../../ports/store/agents/drafts.js';
import type { JsonObject } from '../../schemas/json.js';
import { deleted } from '../../schemas/shapes.js';
import type { Entitlements } from '../../workspaces/entitlements.js';
import { awaitAnswer, endOf, refusedAnswer } from '../conversations/answer-in-progress.js';
import { askerOf, PROTOCOL, refusalOf } from '../conversations/answers.js';
import { unstoredMessageSchema } from '../conversations/conversations.schema.js';
import { presentNew } from '../evaluations/evaluations.presenter.js';
import { draftEvaluationSchema } from '../evaluations/evaluations.schema.js';
import { startEvaluation } from '../evaluations/start-evaluation.js';
import { responseOf } from '../pipeline/respond-once.js';
import { ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presentVersion } from '../versions/versions.presenter.js';
import { versionSchema } from '../versions/versions.schema.js';
import { presentUnstored, unstoredAnswerStream } from './draft-answer.js';
import { draftChatBody, draftSchema, publishBody } from './drafts.schema.js';

const all = {
  path: '/agents/:agentId/draft',
  extension: true,
  scope: 'agentSettings',
  permission: 'edit',
} as const;

const existingDraft = async ({ drafts }: Services, agentId: string): Promise<DraftRow> =>
  existing(await drafts.find(agentId), 'RESOURCE_NOT_FOUND');

/** The settings of an agent with its draft; the live ones without a draft. */
export async function draftedSettings(
  { drafts }: Pick<Services, 'drafts'>,
  { agentId, settings, entitlements }: { agentId: string; settings: JsonObject; entitlements: Entitlements },
): Promise<JsonObject> {
  const draft = await drafts.find(agentId);
  return draft ? withDraft(settings, draft.fields, entitlements) : settings;
}

export const draftRoutes: Route[] = [
  route({
    ...all,
    id: 'getDraft',
    method: 'GET',
    summary: 'Read the changes of settings that are not live',
    description:
      'Changes of settings with `?draft=true` are collected in a draft, which all editors of the agent share. Only `chatWithDraft` and `evaluateDraft` use it. Without a draft, `changes` is empty.',
    responses: { 200: draftSchema },
    async handle({ agent, settings, caller, origin }, { drafts }) {
      const draft = await drafts.find(agent.id);
      if (!draft) return ok({ changes: [], conflicts: [], updatedAt: null, updatedBy: null });
      const { fields, updatedAt, updatedBy } = draft;
      const { changes, conflicts } = draftChanges(settings, fields, caller.entitlements);
      const shown = changes.map((change) => changeWithUrls(change, ['live', 'draft'], origin()));
      return ok({ changes: shown, conflicts, updatedAt, updatedBy });
    },
  }),
  route({
    ...all,
    id: 'chatWithDraft',
    path: '/agents/:agentId/draft/chat',
    method: 'POST',
    summary: 'Ask the agent with its draft',
    description:
      'Answers as `chat` does, with the settings of the draft, or the live ones without a draft. Nothing is stored: no conversation, no question, no statistics. The answer costs credits.',
    body: draftChatBody,
    idempotent: 'afterwards',
    streams: true,
    responses: { 200: unstoredMessageSchema },
    async handle({ body, ...request }, services) {
      const { agent, caller, settings: live } = request;
      const { message, history = [], stream = true } = body;
      const { entitlements } = caller;
      await services.countDraftChat(caller.workspaceId, services.clock.now());
      const settings = await draftedSettings(services, { agentId: agent.id, settings: live, entitlements });
      const asked = [...history, { role: 'user' as const, text: message }].map((entry) => ({
        ...entry,
        toolCalls: [],
      }));
      const question = { history: asked, round: 0, tools: [], userId: null };
      const asker = askerOf(services, { ...request, settings, stream });
      const answer = await services.conversations.unstored.answer(asker, question).then(
        (begun) => {
          request.holdMemoryUntil(begun.historyBytes, begun.ended);
          return { ...begun, conversationId: null };
        },
        (error: unknown) => {
          const refusal = refusalOf(error);
          if (refusal === null) throw error;
          return refusedAnswer(refusal, seconds(services.clock.now()));
        },
      );
      const signal = awaitAnswer(request, answer);
      const now = seconds(services.clock.now());
      if (!stream) return ok(presentUnstored(await endOf(answer), now));
      const { keepAliveMs } = services.chat;
      return {
        status: 200,
        headers: PROTOCOL,
        events: (closed) =>
          unstoredAnswerStream(answer, { keepAliveMs, now, signal: AbortSignal.any([closed, signal]) }),
      };
    },
  }),
  route({
    ...all,
    id: 'evaluateDraft',
    path: '/agents/:agentId/draft/evaluate',
    method: 'POST',
    summary: 'Evaluate the draft with the kept questions',
    description:
      'As `createEvaluation`, with the settings of the draft as it is now. `compareTo` is the newest completed evaluation of the live settings.',
    idempotent: 'withIt',
    responses: { 202: draftEvaluationSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY', 'QUOTA_STORAGE_LIMIT'],
    async handle({ agent, settings: live, caller, idempotency }, services) {
      const { fields } = await existingDraft(services, agent.id);
      const [questions, newest] = await Promise.all([
        services.evaluations.allKept(agent.id),
        services.evaluations.newestLive(agent.id),
      ]);
      const settings = withDraft(live, fields, caller.entitlements);
      const compareTo = newest?.id ?? null;
      const sent = { name: null, origin: 'draft', settings, questions, spare: newest?.id } as const;
      return startEvaluation(services, { agent, caller, idempotency }, sent, (row) => ({
        ...presentNew(row),
        compareTo,
      }));
    },
  }),
  route({
    ...all,
    id: 'publishDraft',
    path: '/agents/:agentId/draft/publish',
    method: 'POST',
    summary: 'Make the draft live',
    description:
      'All changes become live at once, as one version. If live values of the same fields have changed since they entered the draft, the request is refused with `details.conflicts`; with the number of the newest version as `base`, it is published all the same. Other live changes stay.',
    body: publishBody,
    bodyOptional: true,
    idempotent: 'withIt',
    responses: { 200: versionSchema },
    refusals: [
      'RESOURCE_NOT_FOUND',
      'VALIDATION_INVALID_BODY',
      'CHAT_MODEL_NOT_ALLOWED',
      'SUBSCRIPTION_API_RESTRICTED_PLAN',
    ],
    handle: ({ agent, body, origin, idempotency }, { agents }) =>
      responseOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'publishDraft', base: body?.base ?? null },
        ({ version }) => ok(presentVersion(version, origin())),
      ),
  }),
  route({
    ...all,
    id: 'discardDraft',
    method: 'DELETE',
    summary: 'Discard the draft',
    description: 'The live settings stay as they are.',
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent }, { agents }) {
      await agents.send(agent.id, { kind: 'discardDraft' });
      return ok({ deleted: true });
    },
  }),
];
