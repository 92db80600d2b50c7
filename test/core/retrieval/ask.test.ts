import t from 'tap';
import type { SearchRequest } from '../../../core/ports/retrieval.port.js';
import { ask } from '../../../core/retrieval/ask.js';

t.test('corrects the spelling of a few words, however long the question is', async (t) => {
  const requests: SearchRequest[] = [];
  const search = async (request: SearchRequest) => {
    requests.push(request);
    return {
      found: [],
      answer: {
        hits: [],
        documents: 5,
        chunks: 10,
        knowledgeVersion: 1,
        frequencies: request.terms.map(() => 0),
      },
    };
  };
  const agent = { id: '01890000-0000-7000-8000-000000000001', knowledgeVersion: 1, removals: 0 };
  const question = Array.from({ length: 1000 }, (_, n) => `q${n.toString(26).replace(/\d/g, 'z')}xvkq`).join(
    ' ',
  );
  await ask(search, { agent, question, limit: 10, sourceTypes: null });
  const [, spellings] = requests;
  t.ok(spellings && spellings.terms.length <= 2000, 'terms of the spellings', {
    terms: spellings?.terms.length,
  });
});
