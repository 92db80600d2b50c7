import { connect } from '../../../adapters/sequelize/connect.js';
import { indexText } from '../../../core/retrieval/index-text.js';
import { addPages } from '../../support/pages.js';
import { searchedAgent } from '../../support/searching.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

/** Documents of the previous version, without an index. */
const asBefore = [
  'DELETE FROM document_terms',
  "UPDATE document_contents SET chunks = '[]'",
  'UPDATE agents SET knowledge_version = 0, removals = 0, analysis = 0, version = version + 1',
];

await onEachEngine('documents of the previous version are indexed in the background', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { search, addText } = await searchedAgent(service);
  const texts = Array.from({ length: 25 }, (_, n) => `Article ${n} is about flamingo${n} and the zoo.`);
  for (const [n, text] of texts.entries()) await addText(`Title ${n}`, text);
  const expected = await search('flamingo7 zoo', { limit: 30 });
  t.equal(expected.length, 25);

  const database = connect({ url: service.databaseUrl, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => database.close());
  const { run } = service.store.turns;
  let turns = 0;
  service.store.turns.run = (...turn) => {
    turns += 1;
    return run(...turn);
  };
  for (const sql of asBefore) await database.sequelize.query(sql);
  const found = await until('all documents are found again', async () => {
    const hits = await search('flamingo7 zoo', { limit: 30 });
    return hits.length === 25 && hits;
  });
  const places = (hits: typeof expected) =>
    hits.map(({ documentId, start, end, text }) => [documentId, start, end, text]);
  t.same(places(found), places(expected));
  await until('nothing is left to do', async () => (await service.store.indexing.left()).agents === 0);
  service.store.turns.run = run;
  t.ok(turns < 25, `documents share turns: ${turns} for 25`);
});

await onEachEngine('reindexing changes no answer before, during and after it', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { search, addText, id } = await searchedAgent(service);
  for (let n = 0; n < 10; n++) await addText(`Title ${n}`, `A heron stands in pond ${n}.`);
  const expected = await search('heron pond', { limit: 20 });
  const before = await service.store.reads.knowledge(id);
  await service.store.indexing.reopen(id);
  t.same(await service.store.indexing.left(), { agents: 1, documents: 10 });
  await until('nothing is left to do', async () => {
    t.same(await search('heron pond', { limit: 20 }), expected);
    return (await service.store.indexing.left()).agents === 0;
  });
  t.same(await search('heron pond', { limit: 20 }), expected);
  t.same(await service.store.reads.knowledge(id), before, 'what comes out the same moves no version');
});

await onEachEngine('new rules divide texts again, each in its own notation', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { id } = await searchedAgent(service);
  const text = '# stork one\nIt flies.\n\n# stork two\nIt stands in the pond.';
  const ids: string[] = [];
  const urls = { 'https://a.example/notes.txt': 'text', 'https://a.example/notes.md': 'markdown' };
  for (const [url, contentKind] of Object.entries(urls)) {
    const metadata = { contentKind, chunks: 7 };
    ids.push(...(await addPages(service.store, id, [url], { metadata, text, content: indexText('One.') })));
  }
  await service.store.indexing.reopen(id);
  await until('nothing is left to do', async () => (await service.store.indexing.left()).agents === 0);
  const documents = await Promise.all(ids.map((one) => service.store.reads.document(id, one)));
  t.same(
    documents.map((document) => document?.metadata.chunks),
    [1, 2],
  );
});
