import type { SearchRequest } from '../../../core/ports/retrieval.port.js';
import { ask } from '../../../core/retrieval/ask.js';
import t from '../../support/t.js';

const agent = { id: '01890000-0000-7000-8000-000000000001', knowledgeVersion: 1, removals: 0 };

/** Returns the searches for a question about which nothing is known. */
async function searchesFor(question: string): Promise<SearchRequest[]> {
  const requests: SearchRequest[] = [];
  const search = async (request: SearchRequest) => {
    requests.push(request);
    return {
      found: [],
      ranked: {
        hits: [],
        documents: 5,
        chunks: 10,
        knowledgeVersion: 1,
        frequencies: request.terms.map(() => 0),
      },
    };
  };
  await ask(search, { agent, question, limit: 10, sourceTypes: null });
  return requests;
}

/** Returns distinct words with the same ending. */
const wordsEnding = (end: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const letters = n
      .toString(26)
      .padStart(3, '0')
      .replace(/./g, (digit) => letterOf(parseInt(digit, 26)));
    return `q${letters}${end}`;
  });
const letterOf = (n: number): string => String.fromCharCode(97 + n);

t.test('corrects the spelling of a few words, however long the question is', async (t) => {
  const [, spellings] = await searchesFor(wordsEnding('xvkq', 1000).join(' '));
  t.ok(spellings && spellings.terms.length <= 2000, 'terms of the spellings', {
    terms: spellings?.terms.length,
  });
});

t.test('searches for each word of a long question, and for other forms of the first ones', async (t) => {
  const words = wordsEnding('a', 2500);
  const [first] = await searchesFor(words.join(' '));
  const terms = new Set(first?.terms.map(({ term }) => term));
  t.ok(words.every((word) => terms.has(word)));
  t.ok(terms.has('qaaae'), 'a form of the first word');
  t.ok(terms.size < 30_000, `${terms.size} terms`);
});

t.test('common words weigh less wherever they stand in the question', async (t) => {
  const [first] = await searchesFor(
    `${wordsEnding('a', 300).join(' ')} because the price is the best of all`,
  );
  t.ok((first?.terms.find(({ term }) => term === 'the')?.weight ?? 0) < 0.5);
});
