import type { Test } from 'tap';
import { silentLog } from '../../../../core/ports/log.port.js';
import type { Feed, KnowledgeChanges, KnowledgeState } from '../../../../core/ports/retrieval.port.js';
import { fedSearch } from '../../../../core/retrieval/feed/fed-search.js';
import { createFeeding } from '../../../../core/retrieval/feed/feeding.js';
import { knowledgeInMemory } from '../../../contracts/retrieval.contract.knowledge.js';
import t from '../../../support/t.js';

/** An engine that records its changes. */
function engine() {
  const agents = new Map<string, KnowledgeState & { documents: Map<string, number> }>();
  const applied: KnowledgeChanges[] = [];
  let away = false;
  const refused = new Set<string>();
  const here = () => {
    if (away) throw new Error('away');
  };
  const stateOf = (id: string): KnowledgeState => {
    const { knowledgeVersion, removals } = agents.get(id) ?? { knowledgeVersion: 0, removals: 0 };
    return { id, knowledgeVersion, removals };
  };
  const feed: Feed = {
    async known(after, limit) {
      here();
      return [...agents.keys()]
        .filter((id) => id > after)
        .sort()
        .slice(0, limit)
        .map(stateOf);
    },
    async apply(changes) {
      here();
      const { agentId, after, knowledgeVersion, documents, left } = changes;
      if (refused.has(agentId)) throw new Error('cannot be taken');
      const before = agents.get(agentId);
      if (after !== (before?.knowledgeVersion ?? 0)) return stateOf(agentId);
      applied.push(changes);
      const held = new Map(before?.documents);
      for (const { documentId, version } of documents) held.set(documentId, version);
      if (left) for (const id of held.keys()) if (!left.documentIds.includes(id)) held.delete(id);
      const removals = left?.removals ?? before?.removals ?? 0;
      agents.set(agentId, { id: agentId, knowledgeVersion, removals, documents: held });
      return stateOf(agentId);
    },
  };
  return {
    feed,
    applied,
    refused,
    setAway: (is: boolean) => {
      away = is;
    },
    documents: (id: string) => [...(agents.get(id)?.documents.keys() ?? [])].sort(),
    known: () => [...agents.keys()].sort(),
    retrieval: {
      forget: async (id: string) => void agents.delete(id),
      health: async () => (away ? ({ ok: false, reason: 'away' } as const) : ({ ok: true } as const)),
    },
  };
}

function setUp() {
  const knowledge = knowledgeInMemory();
  const told = engine();
  const clock = { time: 1_000_000, now: () => clock.time };
  const feeding = createFeeding({
    retrieval: told.retrieval,
    feed: told.feed,
    reads: knowledge.reads,
    clock,
    log: silentLog,
  });
  const settled = async () => {
    while (await feeding.round());
  };
  return { knowledge, told, clock, feeding, settled };
}

const text = (words: string) => ({ title: 'A', text: words });

t.test('an empty engine receives everything, in bounded batches, in order of versions', async (t) => {
  const { knowledge, told, settled } = setUp();
  const agentId = knowledge.create();
  const ids = Array.from({ length: 250 }, () => knowledge.write(agentId, text('heron')));
  await settled();
  t.same(told.documents(agentId), ids.sort());
  t.same(
    told.applied.map(({ after, knowledgeVersion }) => [after, knowledgeVersion]),
    [
      [0, 100],
      [100, 200],
      [200, 250],
    ],
  );
});

t.test('large texts make small batches', async (t) => {
  const { knowledge, told, settled } = setUp();
  const agentId = knowledge.create();
  for (let n = 0; n < 5; n++) knowledge.write(agentId, text('heron '.repeat(100_000)));
  await settled();
  t.same(
    told.applied.map(({ documents }) => documents.length),
    [2, 2, 1],
  );
  t.equal(told.documents(agentId).length, 5);
});

t.test('deletions are sent, also during the initial feed', async (t) => {
  const { knowledge, told, settled } = setUp();
  const agentId = knowledge.create();
  const [first, second, third] = [1, 2, 3].map(() => knowledge.write(agentId, text('heron'))) as [
    string,
    string,
    string,
  ];
  await settled();
  knowledge.remove(agentId, first);
  knowledge.write(agentId, text('walrus'), second);
  await settled();
  t.same(told.documents(agentId), [second, third].sort());
  t.same(told.applied.at(-1)?.left, { removals: 1, documentIds: [second, third] });
});

t.test('a document that is replaced during the feed is sent in its new version', async (t) => {
  const { knowledge, told, settled } = setUp();
  const agentId = knowledge.create();
  const id = knowledge.write(agentId, text('heron'));
  const { document } = knowledge.reads;
  let replaced = false;
  knowledge.reads.document = async (...wanted) => {
    if (!replaced) knowledge.write(agentId, text('walrus'), id);
    replaced = true;
    return document(...wanted);
  };
  await settled();
  t.same(
    told.applied.flatMap(({ documents }) => documents.map(({ version }) => version)),
    [2],
  );
  t.equal(told.applied.at(-1)?.knowledgeVersion, 2);
});

t.test('the engine forgets deleted agents and states newer than the database', async (t) => {
  const { knowledge, told, settled } = setUp();
  const [gone, stays] = [knowledge.create(), knowledge.create()];
  for (const id of [gone, stays]) knowledge.write(id, text('heron'));
  const lost = { agentId: stays, after: 0, knowledgeVersion: 9, documents: [], left: null };
  await told.feed.apply(lost);
  await told.feed.apply({ ...lost, agentId: gone, knowledgeVersion: 1 });
  knowledge.delete(gone);
  await settled();
  t.same(told.known(), [stays]);
  t.equal(told.documents(stays).length, 1);
});

t.test('an agent whose changes are rejected delays no other', async (t) => {
  const { knowledge, told, feeding } = setUp();
  const ids = Array.from({ length: 10 }, () => knowledge.create());
  for (const id of ids) knowledge.write(id, text('heron'));
  const [bad] = ids as [string];
  told.refused.add(bad);
  await feeding.round();
  t.equal(told.known().length, 9);
  t.equal(await feeding.round(), false, 'and is tried again with a pause');
  told.refused.clear();
  await feeding.round();
  t.equal(told.known().length, 10);
});

t.test('the lag is reported while the engine is down, and it is fed when it is back', async (t) => {
  const { knowledge, told, clock, feeding, settled } = setUp();
  const agentId = knowledge.create();
  knowledge.write(agentId, text('heron'));
  await settled();
  t.same(feeding.lag(), { agents: 0, changes: 0, ageMs: 0 });
  knowledge.write(agentId, text('walrus'));
  knowledge.write(agentId, text('otter'));
  const { apply } = told.feed;
  told.feed.apply = async () => {
    told.setAway(true);
    throw new Error('away');
  };
  await t.rejects(feeding.round(), { message: 'away' });
  t.match(feeding.lag(), { agents: 1, changes: 2 });
  t.same(feeding.health(), { ok: true }, 'what is new is simply under way');
  clock.time += 40_000;
  t.same(feeding.health(), { ok: false, reason: 'behind by 2 changes of 1 agents, for 40 s' });
  told.setAway(false);
  told.feed.apply = apply;
  await settled();
  t.same([feeding.lag().agents, feeding.health()], [0, { ok: true }]);
});

t.test('steady changes that are fed in time cause no lag', async (t) => {
  const { knowledge, clock, feeding } = setUp();
  const agentId = knowledge.create();
  for (let n = 0; n < 10; n++) {
    knowledge.write(agentId, text('heron'));
    await feeding.round();
    clock.time += 10_000;
  }
  t.same(feeding.health(), { ok: true });
  t.ok(feeding.lag().ageMs <= 10_000);
});

/** Reports the state of the agent in the engine. */
const searching = (told: ReturnType<typeof engine>, asked: number[] = []) => ({
  async search({ agent }: { agent: KnowledgeState }) {
    const [known] = await told.feed.known('', 10);
    asked.push(known?.knowledgeVersion ?? 0);
    const frequencies: number[] = [];
    const knowledgeVersion = known?.id === agent.id ? known.knowledgeVersion : 0;
    return { hits: [], chunks: 0, frequencies, documents: 0, knowledgeVersion };
  },
});

const question = (agent: KnowledgeState) => ({ agent, question: '', terms: [], limit: 1, sourceTypes: null });

t.test('a search on an engine that lacks changes feeds it at once and searches again', async (t) => {
  const { knowledge, told, feeding } = setUp();
  const agentId = knowledge.create();
  knowledge.write(agentId, text('heron'));
  const asked: number[] = [];
  const { search } = fedSearch(searching(told, asked), feeding);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => search(question(knowledge.state(agentId)))),
  );
  t.ok(answers.every(({ knowledgeVersion }) => knowledgeVersion === 1));
  t.equal(told.applied.length, 1, 'once for all who ask');
  asked.length = 0;
  await search(question(knowledge.state(agentId)));
  t.same(asked, [1], 'an engine that knows all is asked once');
});

t.test('an engine that cannot be fed returns what it has', async (t: Test) => {
  const { knowledge, told, feeding } = setUp();
  const agentId = knowledge.create();
  knowledge.write(agentId, text('heron'));
  told.refused.add(agentId);
  const { search } = fedSearch(searching(told), feeding);
  t.equal((await search(question(knowledge.state(agentId)))).knowledgeVersion, 0);
  told.feed.apply = () => new Promise(() => {});
  t.equal((await search(question(knowledge.state(agentId)))).knowledgeVersion, 0, 'nor in time');
});
