import assert from 'node:assert/strict';
import { silentLog } from '../../core/ports/log.port.js';
import type { RetrievalPlugin, Started } from '../../core/ports/plugin.port.js';
import type {
  FedDocument,
  Feed,
  KnowledgeChanges,
  KnowledgeState,
  Retrieval,
  SearchAnswer,
} from '../../core/ports/retrieval.port.js';
import { createFeeding, type Feeding } from '../../core/retrieval/feed/feeding.js';
import { nextChanges } from '../../core/retrieval/feed/next-changes.js';
import { mustReject } from './must-reject.js';
import { contextOf } from './plugin-context.js';
import { type DeclareTest, describeRetrievalContract } from './retrieval.contract.js';
import { type Knowledge, knowledgeInMemory } from './retrieval.contract.knowledge.js';
import { termsOf } from './search-terms.js';

/** A fed engine with options for an empty start. */
export interface FedEngineUnderTest<Options> {
  plugin: RetrievalPlugin<Options>;
  options: Options;
  /** Removes stored data. */
  close(): Promise<void>;
}

/** Called once for each test. */
export type MakeFedEngine<Options> = () => Promise<FedEngineUnderTest<Options>>;

/** One process of the installation: its engine, and Cadre's own feeding. */
interface Process {
  started: Started<Retrieval>;
  retrieval: Retrieval;
  feed: Feed;
  feeding: Feeding;
  /** Feeds until nothing is left. */
  settled(): Promise<void>;
  search(agentId: string, question: string): Promise<SearchAnswer>;
}

interface Scene {
  knowledge: Knowledge;
  process(): Promise<Process>;
}

const DEADLINE_MS = 60_000;

async function startProcess<Options>(
  { plugin, options }: FedEngineUnderTest<Options>,
  knowledge: Knowledge,
): Promise<Process> {
  const started = await plugin.start(contextOf(options));
  const retrieval = started.port;
  const { feed } = retrieval;
  assert.ok(feed, 'the engine is to be fed: feed is not null');
  const feeding = createFeeding({
    retrieval,
    feed,
    reads: knowledge.reads,
    clock: { now: () => Date.now() },
    log: silentLog,
  });
  return {
    started,
    retrieval,
    feed,
    feeding,
    async settled() {
      for (const end = Date.now() + DEADLINE_MS; await feeding.round(); )
        assert.ok(Date.now() < end, 'the engine has not taken the changes in within a minute');
      assert.equal(feeding.lag().agents, 0, 'the engine knows everything');
    },
    search: (agentId, question) =>
      retrieval.search({
        agent: knowledge.state(agentId),
        question,
        terms: termsOf(question),
        limit: 10,
        sourceTypes: null,
      }),
  };
}

/** Tests every promise of the retrieval port and its feed for engines with their own copy. Needs only Node. */
export function describeFedRetrievalContract<Options>(
  declare: { test: DeclareTest },
  make: MakeFedEngine<Options>,
): void {
  describeRetrievalContract(declare, async () => {
    const engine = await make();
    const knowledge = knowledgeInMemory();
    const { started, retrieval, settled } = await startProcess(engine, knowledge);
    return {
      retrieval,
      settled,
      async agentWith(documents) {
        const agentId = knowledge.create();
        return { agentId, ids: documents.map((document) => knowledge.write(agentId, document)) };
      },
      remove: async (agentId, documentId) => knowledge.remove(agentId, documentId),
      knowledge: async (agentId) => knowledge.state(agentId),
      stop: () => started.stop({ deadlineMs: 2000 }),
      close: engine.close,
    };
  });

  const test = (name: string, body: (scene: Scene) => Promise<void>): unknown =>
    declare.test(name, async () => {
      const engine = await make();
      const knowledge = knowledgeInMemory();
      const processes: Process[] = [];
      try {
        await body({
          knowledge,
          async process() {
            const one = await startProcess(engine, knowledge);
            processes.push(one);
            return one;
          },
        });
      } finally {
        await Promise.all(processes.map(({ started }) => started.stop({ deadlineMs: 2000 })));
        await engine.close();
      }
    });

  const heron = { title: 'Heron', text: 'The heron stands in the pond.' };
  const walrus = { title: 'Walrus', text: 'The walrus has two tusks.' };
  const nothing = (id: string): KnowledgeState => ({ id, knowledgeVersion: 0, removals: 0 });

  async function all(feed: Feed): Promise<KnowledgeState[]> {
    const known: KnowledgeState[] = [];
    for (let after = ''; ; ) {
      const page = await feed.known(after, 2);
      known.push(...page);
      if (page.length < 2) return known;
      after = (page.at(-1) as KnowledgeState).id;
    }
  }

  /** All changes of the agent as one batch. */
  const everything = ({ reads, state }: Knowledge, agentId: string): Promise<KnowledgeChanges> =>
    nextChanges(reads, state(agentId), { knowledgeVersion: 0, removals: 0 });

  test('an empty engine knows no agent and finds nothing', async ({ knowledge, process }) => {
    const { feed, search } = await process();
    const agentId = knowledge.create();
    assert.deepEqual(await feed.known('', 10), []);
    const { hits, chunks, frequencies, documents, knowledgeVersion } = await search(agentId, 'heron pond');
    assert.deepEqual(
      { hits, chunks, frequencies, documents },
      { hits: [], chunks: 0, frequencies: [0, 0], documents: 0 },
    );
    assert.equal(knowledgeVersion, 0);
  });

  test('known agents are listed in order of their ids, in pages', async ({ knowledge, process }) => {
    const { feed, settled } = await process();
    const ids = [1, 2, 3, 4, 5].map(() => knowledge.create());
    for (const id of ids) knowledge.write(id, heron);
    await settled();
    assert.deepEqual(await all(feed), ids.sort().map(knowledge.state));
    assert.deepEqual(await feed.known(String(ids.at(-1)), 10), []);
  });

  test('an outdated engine returns what it has, with its knowledge version', async ({
    knowledge,
    process,
  }) => {
    const { settled, search } = await process();
    const agentId = knowledge.create();
    const id = knowledge.write(agentId, heron);
    await settled();
    knowledge.write(agentId, { title: 'Zoo', text: 'The zoo has a heron.' });
    const { hits, knowledgeVersion } = await search(agentId, 'heron');
    assert.deepEqual(
      hits.map(({ documentId }) => documentId),
      [id],
    );
    assert.equal(knowledgeVersion, 1);
    await settled();
    assert.equal((await search(agentId, 'heron')).hits.length, 2);
  });

  test('a replaced document is found by its new text and version', async ({ knowledge, process }) => {
    const { settled, search } = await process();
    const agentId = knowledge.create();
    const id = knowledge.write(agentId, heron);
    await settled();
    knowledge.write(agentId, walrus, id);
    await settled();
    const gone = await search(agentId, 'heron');
    assert.deepEqual([gone.hits, gone.frequencies, gone.chunks], [[], [0], 1]);
    const { hits } = await search(agentId, 'walrus');
    assert.deepEqual(
      hits.map(({ documentId, version }) => ({ documentId, version })),
      [{ documentId: id, version: 2 }],
    );
  });

  test('repeated changes have no effect, also from two processes at once', async ({ knowledge, process }) => {
    const [one, other] = [await process(), await process()];
    const agentId = knowledge.create();
    knowledge.write(agentId, heron);
    knowledge.write(agentId, walrus);
    const changes = await everything(knowledge, agentId);
    const state = knowledge.state(agentId);
    // One of two concurrent calls may be rejected; the changes count once.
    const came = await Promise.allSettled([one.feed.apply(changes), other.feed.apply(changes)]);
    assert.ok(
      came.some(({ status }) => status === 'fulfilled'),
      'one of them is taken in',
    );
    assert.deepEqual(await other.feed.apply(changes), state);
    const { chunks, frequencies, hits } = await one.search(agentId, 'the heron');
    assert.deepEqual([chunks, frequencies, hits.length], [2, [2, 1], 2]);
  });

  test('changes that do not continue the known state have no effect', async ({ knowledge, process }) => {
    const { feed, search } = await process();
    const agentId = knowledge.create();
    knowledge.write(agentId, walrus);
    knowledge.write(agentId, heron);
    const later = await nextChanges(knowledge.reads, knowledge.state(agentId), {
      knowledgeVersion: 1,
      removals: 0,
    });
    assert.deepEqual(await feed.apply(later), nothing(agentId));
    assert.deepEqual((await search(agentId, 'heron')).hits, []);
    await feed.apply(await everything(knowledge, agentId));
    assert.equal((await search(agentId, 'heron')).hits.length, 1);
  });

  test('changes that break off half-way leave nothing behind', async ({ knowledge, process }) => {
    const { feed, search } = await process();
    const agentId = knowledge.create();
    knowledge.write(agentId, heron);
    knowledge.write(agentId, walrus);
    const changes = await everything(knowledge, agentId);
    const [first, second] = changes.documents as [FedDocument, FedDocument];
    const broken: FedDocument = {
      ...second,
      chunks: {
        async *[Symbol.asyncIterator]() {
          yield* second.chunks;
          throw new Error('half-way');
        },
      },
    };
    await mustReject('feed.apply() of a document whose chunks break off', () =>
      feed.apply({ ...changes, documents: [first, broken] }),
    );
    assert.deepEqual((await search(agentId, 'heron')).hits, []);
    assert.deepEqual(await feed.apply(changes), knowledge.state(agentId));
    assert.equal((await search(agentId, 'heron')).hits.length, 1);
  });

  test('a process that starts later has all applied changes', async ({ knowledge, process }) => {
    const { settled, started } = await process();
    const agentId = knowledge.create();
    knowledge.write(agentId, heron);
    knowledge.remove(agentId, knowledge.write(agentId, walrus));
    await settled();
    await started.stop({ deadlineMs: 2000 });
    const { feed, search } = await process();
    assert.deepEqual(await feed.known('', 10), [knowledge.state(agentId)]);
    assert.equal((await search(agentId, 'heron')).hits.length, 1);
  });

  test('a forgotten agent is unknown and can be fed from the start', async ({ knowledge, process }) => {
    const { feed, retrieval, settled, search } = await process();
    const agentId = knowledge.create();
    knowledge.write(agentId, heron);
    await settled();
    await retrieval.forget(agentId);
    await retrieval.forget(agentId);
    assert.deepEqual(await feed.known('', 10), []);
    assert.deepEqual((await search(agentId, 'heron')).hits, []);
    await settled();
    assert.equal((await search(agentId, 'heron')).hits.length, 1);
    knowledge.delete(agentId);
    await settled();
    assert.deepEqual(await feed.known('', 10), [], 'agents that are gone are forgotten by the feeding');
  });

  test('accepts documents with many chunks, without chunks, and with unusual characters', async ({
    knowledge,
    process,
  }) => {
    const { settled, search } = await process();
    const agentId = knowledge.create();
    const paragraphs = Array.from(
      { length: 1200 },
      (_, n) => `## Part ${n}\n\n${'Reeds grow here. '.repeat(60)}`,
    );
    const long = knowledge.write(agentId, { title: 'Long', text: paragraphs.join('\n\n') });
    knowledge.write(agentId, { title: 'Empty', text: '' });
    const odd = `It's "quoted" \\ back\\slash' \u0000 \ud800 \u{1f986} ${'x'.repeat(5000)} ${'9'.repeat(5000)} marmot: a|b & !c <-> d`;
    const strange = knowledge.write(agentId, { title: "O'Hara\\ \u0000", text: odd });
    await settled();
    const found = await search(agentId, 'part 1199');
    assert.equal(found.hits[0]?.documentId, long);
    assert.ok(found.chunks > 1000, `${found.chunks} chunks`);
    for (const question of ['marmot', "o'hara", 'slash', 'quoted']) {
      const { hits } = await search(agentId, question);
      assert.deepEqual(new Set(hits.map(({ documentId }) => documentId)), new Set([strange]), question);
    }
  });
}
