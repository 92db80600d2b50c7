import { messageIdOf } from '../../conversations/message-id.js';
import { textOf } from '../../conversations/script-writer.js';
import { ApiError, existing, invalidBody } from '../../errors/api-error.js';
import { keptQuestion, type SentQuestion } from '../../evaluations/new-question.js';
import { patternProblems } from '../../evaluations/pattern-problems.js';
import { mapInSlices } from '../../fairness/time-slices.js';
import { seconds } from '../../ports/clock.port.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { created, ok, okInSlices, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presentKept } from './evaluations.presenter.js';
import { questionsProblems } from './evaluations.routes.js';
import {
  keepMessageBody,
  keepQuestionsBody,
  keptQuestionListSchema,
  keptQuestionSchema,
  keptQuestionsSchema,
  listKeptQuestionsQuery,
} from './evaluations.schema.js';

const { questions: most, before: mostBefore, sources } = limits.evaluations;
/** Number of messages that are searched for earlier messages of the user. */
const MESSAGES = 50;

/** Stores questions, and returns the stored questions. Throws 400 if the agent would have too many. */
async function keep({ evaluations, clock }: Services, agentId: string, sent: readonly SentQuestion[]) {
  const now = seconds(clock.now());
  const rows = await mapInSlices(sent, (question) => keptQuestion(agentId, question, now));
  if (!(await evaluations.keep(agentId, rows, most)))
    throw invalidBody(`An agent keeps at most ${most} questions. Delete some first.`);
  return evaluations.keptOf(
    agentId,
    rows.map(({ questionHash }) => questionHash),
  );
}

/** Returns the question of a message, with the earlier questions in its conversation and the sources of its answer. */
async function askedIn(
  { conversations, conversationReads }: Services,
  agentId: string,
  { conversationId, messageId }: { conversationId: string; messageId: string },
): Promise<Pick<SentQuestion, 'question' | 'before' | 'source'>> {
  const conversation = await conversations.known(agentId, conversationId, null);
  const id = messageIdOf(messageId);
  const named = existing(
    id === null ? null : await conversationReads.message(conversation.id, id),
    'RESOURCE_MESSAGE_NOT_FOUND',
  );
  const userId = named.role === 'user' ? named.id : named.userMessageId;
  if (userId === null) throw new ApiError('RESOURCE_MESSAGE_NOT_FOUND');
  const page = { limit: MESSAGES, before: String(userId + 1) };
  const earlier = (await conversationReads.messages(conversation.id, page)).slice(0, MESSAGES).reverse();
  const texts = earlier.filter(({ role }) => role === 'user').map(({ script }) => textOf(script));
  const question = texts.at(-1);
  if (question === undefined) throw new ApiError('RESOURCE_MESSAGE_NOT_FOUND');
  const answer =
    named.role === 'assistant' ? named : await conversationReads.answerTo(conversation.id, userId);
  const titles = (answer?.citations ?? []).map(({ title }) => title);
  return {
    question,
    before: texts.slice(0, -1).slice(-mostBefore),
    source: [...new Set(titles)].slice(0, sources),
  };
}

const questionIdOf = uuidIn('questionId');

const all = { path: '/agents/:agentId/evaluation-questions', extension: true } as const;

export const keptQuestionRoutes: Route[] = [
  route({
    ...all,
    id: 'listEvaluationQuestions',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'List the questions that the agent keeps for its evaluations, newest first',
    description: `At most ${most}. \`createEvaluation\` asks them. With \`updateEvaluationSettings\`, they can also be asked when a job has ended.`,
    query: listKeptQuestionsQuery,
    list: ({ agent }) => `evaluation-questions/${agent.id}`,
    responses: { 200: keptQuestionListSchema },
    async handle({ agent, query, list }, { evaluations, cursors }) {
      const request = cursors.request(list, query);
      const [rows, total] = await Promise.all([
        evaluations.kept(agent.id, request),
        evaluations.countKept(agent.id),
      ]);
      return okInSlices(cursors.page(list, request, rows, total, presentKept));
    },
  }),
  route({
    ...all,
    id: 'keepEvaluationQuestions',
    method: 'POST',
    scope: 'agent',
    permission: 'edit',
    summary: 'Keep questions for the evaluations of the agent',
    description:
      'If the agent already keeps a question with the same earlier messages, the question gets the new expectations and keeps its id.',
    body: keepQuestionsBody,
    problems: questionsProblems,
    idempotent: 'afterwards',
    responses: { 201: keptQuestionsSchema },
    async handle({ agent, body }, services) {
      return created({ data: (await keep(services, agent.id, body.questions)).map(presentKept) });
    },
  }),
  route({
    id: 'keepMessageAsQuestion',
    method: 'POST',
    path: `${all.path}/from-message`,
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Keep a question that was asked in a conversation',
    description:
      'Keeps the text of the message with the earlier messages of the user. Without `source`, the expected sources are those that the answer cites.',
    body: keepMessageBody,
    problems: {
      answer: (answer, { judge }, owner) => patternProblems([{ answer }], { judge, owner }),
      mustNot: (mustNot, { judge }, owner) => patternProblems([{ mustNot }], { judge, owner }),
    },
    idempotent: 'afterwards',
    responses: { 201: keptQuestionSchema },
    refusals: ['RESOURCE_NOT_FOUND', 'RESOURCE_MESSAGE_NOT_FOUND'],
    async handle({ agent, body: { conversationId, messageId, ...expected } }, services) {
      const asked = await askedIn(services, agent.id, { conversationId, messageId });
      const [row] = await keep(services, agent.id, [{ ...asked, ...expected }]);
      return created(presentKept(existing(row ?? null, 'RESOURCE_NOT_FOUND')));
    },
  }),
  route({
    id: 'deleteEvaluationQuestion',
    method: 'DELETE',
    path: `${all.path}/:questionId`,
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Stop keeping a question',
    description: 'Results in earlier evaluations stay.',
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, { evaluations }) {
      if (!(await evaluations.forget(agent.id, questionIdOf(params))))
        throw new ApiError('RESOURCE_NOT_FOUND');
      return ok({ deleted: true });
    },
  }),
];
