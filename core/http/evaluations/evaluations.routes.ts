import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { type ComparedVerdict, compare } from '../../evaluations/compare.js';
import { keptQuestion, type SentQuestion } from '../../evaluations/new-question.js';
import { patternProblems } from '../../evaluations/pattern-problems.js';
import type { Owner } from '../../fairness/owner.js';
import { mapInSlices } from '../../fairness/time-slices.js';
import { seconds } from '../../ports/clock.port.js';
import type { EvaluationRow, VerdictRow } from '../../ports/store/conversations/evaluations.js';
import type { AgentState } from '../../ports/store/rows.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { may } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { ok, okInSlices, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { presentDetail, presentEvaluation, presentNew, presentResult } from './evaluations.presenter.js';
import {
  createEvaluationBody,
  evaluationDetailSchema,
  evaluationListSchema,
  evaluationSchema,
  getEvaluationQuery,
  listEvaluationsQuery,
  listResultsQuery,
  resultListSchema,
} from './evaluations.schema.js';
import { startEvaluation } from './start-evaluation.js';

const { runs, open } = limits.evaluations;
const idOf = uuidIn('evaluationId');

/** Throws 404 for an unknown evaluation, and for one of a draft if the caller may not see drafts. */
async function evaluationOf(
  { evaluations }: Services,
  { agent, caller }: { agent: AgentState; caller: Caller },
  id: string,
): Promise<EvaluationRow> {
  const found = await evaluations.find(agent.id, id);
  return existing(found?.origin === 'draft' && !may('edit', caller) ? null : found, 'RESOURCE_NOT_FOUND');
}

/** Finds an evaluation of the same agent. Throws 400 for any other id. */
async function earlierOf(
  { evaluations }: Services,
  agentId: string,
  compareTo: string,
): Promise<EvaluationRow> {
  const earlier = await evaluations.find(agentId, compareTo.toLowerCase());
  if (!earlier) throw invalidField('compareTo', 'is not the id of an evaluation of this agent');
  return earlier;
}

async function comparedTo(
  services: Services,
  agentId: string,
  rows: readonly VerdictRow[],
  compareTo: string | undefined,
): Promise<{ evaluationId: string; rows: ComparedVerdict[] } | null> {
  if (compareTo === undefined) return null;
  const earlier = await earlierOf(services, agentId, compareTo);
  return { evaluationId: earlier.id, rows: compare(rows, await services.evaluations.verdicts(earlier.id)) };
}

/** Reports regular expressions that cannot be used. */
export const questionsProblems = {
  questions: (questions: readonly SentQuestion[], { judge }: Services, owner: Owner) =>
    patternProblems(questions, { judge, owner }, (n) => `questions[${n}] `),
};

const all = { path: '/agents/:agentId/evaluations', extension: true } as const;
const one = { path: '/agents/:agentId/evaluations/:evaluationId', extension: true } as const;

export const evaluationRoutes: Route[] = [
  route({
    ...all,
    id: 'listEvaluations',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'List the evaluations of the agent, newest first',
    description: `The last ${runs} are kept, with counts of their verdicts.`,
    query: listEvaluationsQuery,
    list: ({ agent }) => `evaluations/${agent.id}`,
    responses: { 200: evaluationListSchema },
    async handle({ agent, caller, query, list }, { evaluations, cursors }) {
      const request = cursors.request(list, query);
      const filter = { liveOnly: !may('edit', caller) };
      const [rows, total] = await Promise.all([
        evaluations.page(agent.id, request, filter),
        evaluations.count(agent.id, filter),
      ]);
      const tallies = await evaluations.tallies(rows.map(({ id }) => id));
      return ok(
        cursors.page(list, request, rows, total, (row) =>
          presentEvaluation(
            row,
            tallies.filter(({ evaluationId }) => evaluationId === row.id),
          ),
        ),
      );
    },
  }),
  route({
    ...all,
    id: 'createEvaluation',
    method: 'POST',
    scope: 'agent',
    permission: 'edit',
    summary: 'Ask the agent questions and judge its answers',
    description: `Runs in the background; \`getEvaluation\` shows its progress. Each question is asked in a conversation of its own, which is not stored, and costs credits like any other answer. Without \`questions\`, the kept questions of the agent are asked (\`keepEvaluationQuestions\`). An agent can have ${open} evaluations in progress; more are refused (400). An evaluation that would exceed the storage limit of the workspace is refused, too (403, see \`allowances.visitorStorageBytes\` of \`getWorkspace\`). The webhook event \`evaluation.completed\` reports the end.`,
    body: createEvaluationBody,
    problems: questionsProblems,
    idempotent: 'withIt',
    responses: { 202: evaluationSchema },
    refusals: ['QUOTA_STORAGE_LIMIT'],
    async handle({ agent, caller, body, idempotency }, services) {
      const { evaluations, clock } = services;
      const now = seconds(clock.now());
      const spare = body.compareTo ? (await earlierOf(services, agent.id, body.compareTo)).id : undefined;
      const questions = body.questions
        ? await mapInSlices(body.questions, (sent) => keptQuestion(agent.id, sent, now))
        : await evaluations.allKept(agent.id);
      const sent = { name: body.name ?? null, origin: 'request', settings: null, questions, spare } as const;
      return startEvaluation(services, { agent, caller, idempotency }, sent, presentNew);
    },
  }),
  route({
    ...one,
    id: 'getEvaluation',
    method: 'GET',
    scope: 'agent',
    permission: 'view',
    summary: 'Read an evaluation: its progress, and the verdicts by type of question',
    description:
      'With `compareTo`, the verdicts are compared with the verdicts of an earlier evaluation. `listEvaluationResults` returns the answers.',
    query: getEvaluationQuery,
    responses: { 200: evaluationDetailSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, caller, params, query }, services) {
      const row = await evaluationOf(services, { agent, caller }, idOf(params));
      const verdicts = await services.evaluations.verdicts(row.id);
      return ok(
        presentDetail(row, verdicts, await comparedTo(services, agent.id, verdicts, query.compareTo)),
      );
    },
  }),
  route({
    id: 'listEvaluationResults',
    method: 'GET',
    path: `${one.path}/results`,
    extension: true,
    scope: 'agent',
    permission: 'view',
    summary: 'List the questions of an evaluation with answers and verdicts, in their order',
    description:
      'With `compareTo` and `change=worse`, the list has the questions that were answered better in that earlier evaluation.',
    query: listResultsQuery,
    list: ({ params, query }) =>
      `results/${idOf(params)}/${query.verdict ?? ''}/${query.compareTo ?? ''}/${query.change ?? ''}`,
    responses: { 200: resultListSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, caller, params, query, list }, services) {
      const { evaluations, cursors } = services;
      const { id } = await evaluationOf(services, { agent, caller }, idOf(params));
      const request = cursors.request(list, query);
      const rows = await evaluations.verdicts(id);
      if (query.change !== undefined && query.compareTo === undefined)
        throw invalidField('compareTo', 'is required with change');
      const compared = await comparedTo(services, agent.id, rows, query.compareTo);
      const wanted = (compared?.rows ?? rows).filter(
        (row) =>
          (query.verdict === undefined || row.verdict === query.verdict) &&
          (query.change === undefined || ('change' in row && row.change === query.change)),
      );
      const after = Number(request.before ?? 0);
      const positions = wanted
        .map(({ position }) => position)
        .filter((position) => position > after)
        .slice(0, request.limit + 1);
      const results = (await evaluations.results(id, positions)).map((result) => ({
        ...result,
        id: result.position,
      }));
      const changes = new Map(compared?.rows.map((row) => [row.position, row]));
      return okInSlices(
        cursors.page(list, request, results, wanted.length, (result) =>
          presentResult(result, changes.get(result.position) ?? null),
        ),
      );
    },
  }),
  route({
    id: 'cancelEvaluation',
    method: 'POST',
    path: `${one.path}/cancel`,
    extension: true,
    scope: 'agent',
    permission: 'edit',
    summary: 'Cancel an evaluation; the verdicts so far are kept',
    description: 'An evaluation that has already ended is returned unchanged.',
    responses: { 200: evaluationDetailSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    idempotent: 'afterwards',
    async handle({ agent, caller, params }, services) {
      const { id } = await evaluationOf(services, { agent, caller }, idOf(params));
      await services.evaluations.cancel(agent.id, id, seconds(services.clock.now()));
      const row = await evaluationOf(services, { agent, caller }, id);
      return ok(presentDetail(row, await services.evaluations.verdicts(id), null));
    },
  }),
  route({
    ...one,
    id: 'deleteEvaluation',
    method: 'DELETE',
    scope: 'agent',
    permission: 'edit',
    summary: 'Delete an evaluation with its results',
    description: 'An evaluation that has not ended is cancelled first.',
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, { evaluations }) {
      if (!(await evaluations.delete(agent.id, idOf(params)))) throw new ApiError('RESOURCE_NOT_FOUND');
      return ok({ deleted: true });
    },
  }),
];
