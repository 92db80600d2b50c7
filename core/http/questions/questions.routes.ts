import { questionHash } from '../../conversations/question-hash.js';
import { isResolved } from '../../conversations/questions.js';
import { textOf } from '../../conversations/script-writer.js';
import { invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import { limits } from '../../schemas/limits.js';
import { ok, okInSlices, type Route, route } from '../route.js';
import { periodOf, secondsOf, startOfLast } from '../statistics/period.js';
import { questionsQuery, questionsSchema, resolveBody, resolvedSchema } from './questions.schema.js';

export const questionRoutes: Route[] = [
  route({
    id: 'listQuestions',
    method: 'GET',
    path: '/agents/:agentId/questions',
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'List questions that were not answered, or answered badly, most frequent first',
    description:
      'Lists questions of users in all channels. Questions that differ only in case, white space or punctuation at the end count as one. To close a gap, add a source that answers the question, and ask it again.',
    query: questionsQuery,
    list: ({ agent, query: { outcome = '', feedback = '', from = '', to = '' } }) =>
      `questions/${agent.id}/${outcome}/${feedback}/${from}/${to}`,
    responses: { 200: questionsSchema },
    async handle({ agent, query, list }, { questions, cursors, clock }) {
      const { outcome = null, feedback = null } = query;
      if (outcome === null && feedback === null)
        throw invalidField('outcome', 'is required without feedback');
      const { days } = limits.openQuestions;
      const period = periodOf(query, clock.now(), { days });
      const searched = secondsOf({ ...period, from: startOfLast(days, query.from, clock.now()) });
      const filter = { outcome, feedback, ...searched };
      const request = cursors.request(list, query);
      const [rows, total] = await Promise.all([
        questions.page(agent.id, filter, request),
        questions.count(agent.id, filter),
      ]);
      return okInSlices(
        cursors.page(list, request, rows, total, (row) => ({
          question: textOf(row.script),
          count: row.count,
          lastAskedAt: row.createdAt,
          conversationId: row.conversationId,
          messageId: String(row.messageId),
          resolved: isResolved(row, agent.lastTrainedAt),
        })),
      );
    },
  }),
  route({
    id: 'resolveQuestion',
    method: 'POST',
    path: '/agents/:agentId/questions/resolve',
    extension: true,
    scope: 'agent',
    permission: 'questions.answer',
    summary: 'Mark a question as resolved',
    description:
      'For questions that need no source. The mark lasts until the question is asked again and not answered. For a question that was never asked, nothing is stored.',
    body: resolveBody,
    idempotent: 'afterwards',
    responses: { 200: resolvedSchema },
    async handle({ agent, body }, { questions, clock }) {
      await questions.resolve(agent.id, questionHash(body.question), seconds(clock.now()));
      return ok({ resolved: true });
    },
  }),
];
