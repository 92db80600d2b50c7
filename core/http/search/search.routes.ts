import { ask } from '../../retrieval/ask.js';
import { limits } from '../../schemas/limits.js';
import { ok, type Route, route } from '../route.js';
import { presentHits } from './search.presenter.js';
import { hitsSchema, searchBody } from './search.schema.js';

export const searchRoutes: Route[] = [
  route({
    id: 'search',
    method: 'POST',
    path: '/agents/:agentId/search',
    extension: true,
    scope: 'agent',
    permission: 'search',
    summary: 'Find the passages that fit a question best',
    description:
      'Returns the best passages of the search on which answers are based. No language model is called, and no credits are spent. Use it to understand an answer, or to build your own. Each passage is the paragraph, list, table or other block that matches best, with its offsets in the text that `getSourceContent` returns. `covered` is false if the passages probably do not answer the question.',
    body: searchBody,
    responses: { 200: hitsSchema },
    async handle({ agent, body }, { search }) {
      const result = await ask(search, {
        agent,
        question: body.query,
        limit: body.limit ?? limits.hits.default,
        sourceTypes: body.sourceType === undefined ? null : [body.sourceType],
      });
      return ok(presentHits(result));
    },
  }),
];
