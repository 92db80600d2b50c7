import { questionTerms } from '../../retrieval/question-terms.js';
import { limits } from '../../schemas/limits.js';
import { ok, type Route, route } from '../route.js';
import { presentHit } from './search.presenter.js';
import { hitsSchema, searchBody } from './search.schema.js';

export const searchRoutes: Route[] = [
  route({
    id: 'search',
    method: 'POST',
    path: '/agents/:agentId/search',
    extension: true,
    scope: 'agent',
    summary: 'Find the passages of its sources that fit a question best',
    description:
      'What the agent would look at before it answers, without an answer: no language model is asked and no credits are spent. Use it to see why an answer was good or bad, or to build your own. The passages come with places in the text that `getSourceContent` returns.',
    body: searchBody,
    responses: { 200: hitsSchema },
    async handle({ agent, body }, { search }) {
      const { found } = await search({
        agent,
        question: body.query,
        terms: questionTerms(body.query),
        limit: body.limit ?? limits.hits.default,
        sourceTypes: body.sourceType === undefined ? null : [body.sourceType],
      });
      return ok({ data: found.map(presentHit) });
    },
  }),
];
