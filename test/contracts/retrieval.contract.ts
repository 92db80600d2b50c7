import assert from 'node:assert/strict';
import type { KnowledgeState, Retrieval, SearchAnswer } from '../../core/ports/retrieval.port.js';
import { mustReject } from './must-reject.js';
import { termsOf } from './search-terms.js';

export {
  describeFedRetrievalContract,
  type FedEngineUnderTest,
  type MakeFedEngine,
} from './retrieval.contract.fed.js';

/** An engine under test, and the documents that it searches. */
export interface RetrievalSubject {
  retrieval: Retrieval;
  /** Creates an agent with these text snippets; returns ids in the same order. */
  agentWith(
    documents: readonly { title: string; text: string }[],
  ): Promise<{ agentId: string; ids: string[] }>;
  /** Deletes one of its documents. */
  remove(agentId: string, documentId: string): Promise<void>;
  /** The state of the agent in the database. */
  knowledge(agentId: string): Promise<KnowledgeState>;
  /** Resolves when the engine has applied all changes so far; at once for engines without delay. */
  settled(): Promise<void>;
  stop(): Promise<void>;
  /** Removes stored data after the stop. */
  close?(): Promise<void>;
}

/** Called once for each test. */
export type MakeRetrieval = () => Promise<RetrievalSubject>;

/** Declares a test; compatible with `test` of node:test and of tap. */
export type DeclareTest = (name: string, body: () => Promise<void>) => unknown;

/** Tests every promise of the retrieval port for any plugin. Needs only Node. */
export function describeRetrievalContract(declare: { test: DeclareTest }, make: MakeRetrieval): void {
  const test = (name: string, body: (subject: RetrievalSubject) => Promise<void>): unknown =>
    declare.test(name, async () => {
      const subject = await make();
      try {
        await body(subject);
      } finally {
        await subject.stop();
        await subject.close?.();
      }
    });

  async function search(
    { retrieval, knowledge, settled }: RetrievalSubject,
    agentId: string,
    question: string,
    limit = 10,
  ): Promise<SearchAnswer> {
    await settled();
    const agent = await knowledge(agentId);
    return retrieval.search({
      agent,
      question,
      terms: termsOf(question),
      limit,
      sourceTypes: null,
    });
  }

  const animals = [
    { title: 'Heron', text: 'The heron stands in the pond.' },
    { title: 'Walrus', text: 'The walrus has two tusks.' },
    { title: 'Zoo', text: 'The zoo has a pond with a heron, and a cage.' },
  ];

  test('finds the chunks that contain the words, best first', async (subject) => {
    const { agentId, ids } = await subject.agentWith(animals);
    const { hits } = await search(subject, agentId, 'heron pond');
    assert.deepEqual(new Set(hits.map(({ documentId }) => documentId)), new Set([ids[0], ids[2]]));
    const scores = hits.map(({ score }) => score);
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
    );
    assert.ok(hits.every(({ chunk, version }) => chunk === 0 && version >= 1));
  });

  test('an answer contains the number of chunks, and the frequency of each term', async (subject) => {
    const { agentId } = await subject.agentWith(animals);
    const { chunks, frequencies, documents } = await search(subject, agentId, 'heron unknown the');
    assert.equal(chunks, 3);
    assert.equal(documents, 3);
    assert.deepEqual(frequencies, [2, 0, 3]);
  });

  test('returns at most the limit, the same in each search', async (subject) => {
    const { agentId } = await subject.agentWith(animals);
    const first = await search(subject, agentId, 'the', 2);
    assert.equal(first.hits.length, 2);
    assert.deepEqual((await search(subject, agentId, 'the', 2)).hits, first.hits);
  });

  test('a deleted document is not found any more', async (subject) => {
    const { agentId, ids } = await subject.agentWith(animals);
    assert.equal((await search(subject, agentId, 'heron')).hits.length, 2);
    await subject.remove(agentId, ids[0] as string);
    const { hits, documents, frequencies } = await search(subject, agentId, 'heron');
    assert.deepEqual(
      hits.map(({ documentId }) => documentId),
      [ids[2]],
    );
    assert.equal(documents, 2);
    assert.deepEqual(frequencies, [1]);
  });

  test('a settled engine knows everything; an engine without feeding is always settled', async (subject) => {
    const { agentId } = await subject.agentWith(animals);
    const { knowledgeVersion } = await search(subject, agentId, 'heron');
    assert.ok(knowledgeVersion >= (await subject.knowledge(agentId)).knowledgeVersion);
    if (subject.retrieval.feed !== null) return;
    const later = await subject.agentWith(animals);
    const agent = await subject.knowledge(later.agentId);
    const request = { agent, question: 'heron', terms: termsOf('heron'), limit: 10, sourceTypes: null };
    assert.equal((await subject.retrieval.search(request)).hits.length, 2);
  });

  test('weights scale the contribution of a word', async (subject) => {
    const { agentId, ids } = await subject.agentWith([
      { title: 'One', text: 'A heron.' },
      { title: 'Two', text: 'A walrus.' },
    ]);
    await subject.settled();
    const agent = await subject.knowledge(agentId);
    for (const [heron, walrus, best] of [
      [1, 0.5, ids[0]],
      [0.5, 1, ids[1]],
    ] as const) {
      const [heronTerm, walrusTerm] = termsOf('heron walrus').map(({ term }) => term);
      const terms = [
        { term: String(heronTerm), weight: heron },
        { term: String(walrusTerm), weight: walrus },
      ];
      const { hits } = await subject.retrieval.search({
        agent,
        question: 'heron walrus',
        terms,
        limit: 10,
        sourceTypes: null,
      });
      assert.equal(hits[0]?.documentId, best);
      assert.equal(hits.length, 2);
    }
  });

  test('agents are isolated from each other', async (subject) => {
    const one = await subject.agentWith(animals);
    const other = await subject.agentWith([{ title: 'Shop', text: 'We are open.' }]);
    assert.deepEqual((await search(subject, other.agentId, 'heron')).hits, []);
    await subject.retrieval.forget(other.agentId);
    assert.equal((await search(subject, one.agentId, 'heron')).hits.length, 2);
  });

  test('only documents of the wanted types are found', async (subject) => {
    const { agentId } = await subject.agentWith(animals);
    await subject.settled();
    const request = {
      agent: await subject.knowledge(agentId),
      question: 'heron',
      terms: termsOf('heron'),
      limit: 10,
    };
    const ofType = async (sourceType: 'text_snippet' | 'web_crawl') =>
      (await subject.retrieval.search({ ...request, sourceTypes: [sourceType] })).hits.length;
    assert.equal(await ofType('text_snippet'), 2);
    assert.equal(await ofType('web_crawl'), 0);
  });

  test('after its stop every search rejects', async (subject) => {
    const { agentId } = await subject.agentWith(animals);
    const agent = await subject.knowledge(agentId);
    assert.deepEqual(await subject.retrieval.health(), { ok: true });
    await subject.stop();
    await mustReject(
      'retrieval.search() after the stop',
      () => subject.retrieval.search({ agent, question: 'heron', terms: [], limit: 1, sourceTypes: null }),
      { name: 'RetrievalUnavailable' },
    );
  });
}
