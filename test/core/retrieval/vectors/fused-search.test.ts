import { silentLog } from '../../../../core/ports/log.port.js';
import type { SearchHit } from '../../../../core/ports/retrieval.port.js';
import { ask } from '../../../../core/retrieval/ask.js';
import { createSearch } from '../../../../core/retrieval/search.js';
import { fusedSearch } from '../../../../core/retrieval/vectors/fused-search.js';
import t from '../../../support/t.js';

const SPACE = 'test';
const agent = {
  id: '01890000-0000-7000-8000-000000000001',
  knowledgeVersion: 1,
  removals: 0,
  embeddedAs: SPACE,
  embeddedVersion: 1,
};
const hit = (documentId: string, chunk: number, score: number): SearchHit => ({
  documentId,
  version: 1,
  sourceType: 'text_snippet',
  chunk,
  score,
});

/** Chunks with words of the question, which are also rather near. */
const others = Array.from({ length: 100 }, (_, n) => hit('other', n, 0.5 - n / 1000));

const searchWith = (languages?: string[]) =>
  createSearch(
    fusedSearch({
      engine: {
        search: async ({ terms, limit }) => ({
          hits: others.slice(0, limit),
          documents: 2,
          chunks: 101,
          knowledgeVersion: 1,
          frequencies: terms.map(() => 0),
        }),
        nearest: async () => [hit('answer', 0, 0.9), ...others],
      },
      embedding: {
        model: {
          space: SPACE,
          batch: 1,
          questionMs: 1000,
          leastSimilarity: 0.3,
          answeringSimilarity: 0.8,
          ...(languages ? { languages } : {}),
        },
        embed: async () => [new Float32Array([1, 0])],
        health: async () => ({ ok: true }),
        probe: async () => ({ ok: true }),
      },
      onSearch: () => {},
      log: silentLog,
    }),
    {
      excerpts: async (_, ranges) =>
        ranges.map((range) => ({
          ...range,
          sourceType: 'text_snippet' as const,
          title: 'Title',
          url: null,
          version: 1,
          start: 0,
          end: 4,
          text: 'A text with an answer',
          headings: [],
          isLast: true,
        })),
      knowledge: async () => null,
    },
  );

t.test('the chunk that answers by its meaning comes first, although many others share words', async (t) => {
  const { found, answeringSentence } = await ask(searchWith(), {
    agent,
    question: 'zebra',
    limit: 20,
    sourceTypes: null,
  });
  t.equal(answeringSentence, 'A text with an answer');
  t.equal(found[0]?.hit.documentId, 'answer');
  t.equal(found.length, 20);
});

t.test('a question in a language that the model does not know is searched by its words', async (t) => {
  const asked = (question: string) =>
    ask(searchWith(['en']), { agent, question, limit: 20, sourceTypes: null });
  t.equal((await asked('Is there a zebra?')).answeringSentence, 'A text with an answer');
  const german = await asked('Gibt es hier ein Zebra?');
  t.equal(german.answeringSentence, null);
  t.equal(german.found[0]?.hit.documentId, 'other');
});

t.test('a question with a name that no source contains is not answered by its meaning', async (t) => {
  const { answeringSentence } = await ask(searchWith(), {
    agent,
    question: 'How fast is the zebra of Timbuktu?',
    limit: 20,
    sourceTypes: null,
  });
  t.equal(answeringSentence, null);
});

t.test('words that a question shares with a passage count against its meaning', async (t) => {
  const asked = (question: string) => ask(searchWith(), { agent, question, limit: 20, sourceTypes: null });
  t.match(await asked('zebra lion giraffe'), { support: 'covered', nearest: { similarity: 1 } });
  const shared = await asked('zebra lion giraffe text');
  t.match(shared, { support: 'near', answeringSentence: null, nearest: { similarity: 1 } });
});
