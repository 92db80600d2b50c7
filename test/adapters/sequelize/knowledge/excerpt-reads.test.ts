import { v7 as uuidv7 } from 'uuid';
import { contentUnder, indexText } from '../../../../core/retrieval/index-text.js';
import { onEachEngine, startTestService, type TestService } from '../../../support/service.js';

/** Adds a text snippet with this content to an agent. */
async function addText(
  service: TestService,
  agentId: string,
  text: string,
  title = 'A title',
): Promise<string> {
  const id = uuidv7();
  await service.store.turns.run(agentId, null, ({ agent, documents }) =>
    documents.insert(
      {
        id,
        agentId,
        workspaceId: agent.workspaceId,
        sourceType: 'text_snippet',
        title,
        bytes: Buffer.byteLength(text),
        url: null,
        storagePath: null,
        contentHash: 'hash',
        metadata: {},
        createdAt: 1,
        lastCrawledAt: null,
        updatedAt: 0,
      },
      contentUnder(title, indexText(text)),
    ),
  );
  return id;
}

const paragraphs = [
  '## 𝔊 Öffnungszeiten\n\nWir haben 🕘 von neun bis fünf geöffnet. '.repeat(20),
  '## 营业时间\n\n我们从九点到五点营业。周日休息。'.repeat(80),
  '## Last\n\nShort.',
];
const text = paragraphs.join('\n\n');

await onEachEngine('a excerpt is the text between two code point offsets', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { id: agentId } = await (await service.client()).agent();
  const documentId = await addText(service, agentId, text);
  const { chunks } = indexText(text);
  const points = [...text];
  const ranges = chunks.flatMap((_, first) =>
    [first, first + 1].filter((last) => last < chunks.length).map((last) => ({ documentId, first, last })),
  );
  const excerpts = await service.store.reads.excerpts(agentId, ranges);
  t.equal(excerpts.length, ranges.length);
  for (const [n, { first, last }] of ranges.entries()) {
    const found = excerpts[n];
    const whole = text.slice(chunks[first]?.start, chunks[last]?.end);
    t.equal(found?.text, whole, `${first} to ${last}`);
    t.equal(points.slice(found?.start, found?.end).join(''), whole);
    t.same(found?.headings, chunks[first]?.headings);
    t.equal(found?.isLast, last === chunks.length - 1);
    t.match(found, { title: 'A title', url: null, sourceType: 'text_snippet', version: 1 });
  }
});

await onEachEngine('missing excerpts, and those of other agents, are null', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const [mine, other] = [(await api.agent()).id, (await api.agent()).id];
  const documentId = await addText(service, mine, 'One chunk.');
  const range = { documentId, first: 0, last: 0 };
  const reads = service.store.reads;
  t.same(await reads.excerpts(mine, []), []);
  t.same(await reads.excerpts(other, [range]), [null]);
  t.same(await reads.excerpts(mine, [{ ...range, documentId: uuidv7() }]), [null]);
  const [beyond, there, across] = await reads.excerpts(mine, [
    { ...range, first: 5, last: 5 },
    range,
    { ...range, last: 1 },
  ]);
  t.same([beyond, across], [null, null]);
  t.equal(there?.text, 'One chunk.');
});

await onEachEngine('the knowledge version counts every change of a document', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { id: agentId } = await (await service.client()).agent();
  const { reads, turns } = service.store;
  const knowledge = () => reads.knowledge(agentId);
  t.same(await knowledge(), { id: agentId, knowledgeVersion: 0, removals: 0 });
  const first = await addText(service, agentId, 'First.');
  const second = await addText(service, agentId, 'Second.');
  t.same(await knowledge(), { id: agentId, knowledgeVersion: 2, removals: 0 });
  await turns.run(agentId, null, ({ documents }) =>
    documents.update(first, { title: 'New' }, contentUnder('New', indexText('First, again.'))),
  );
  t.same(await knowledge(), { id: agentId, knowledgeVersion: 3, removals: 0 });
  t.match(await reads.excerpts(agentId, [{ documentId: first, first: 0, last: 0 }]), [
    { title: 'New', text: 'First, again.', version: 3 },
  ]);
  await turns.run(agentId, null, ({ documents }) => documents.update(second, { lastCrawledAt: 7 }));
  t.same(await knowledge(), { id: agentId, knowledgeVersion: 3, removals: 0 }, 'the content is the same');
  await turns.run(agentId, null, async ({ documents }) => {
    const row = await documents.find(second);
    if (row) await documents.delete(row);
  });
  t.same(await knowledge(), { id: agentId, knowledgeVersion: 4, removals: 1 });
  await t.rejects(
    turns.run(agentId, null, async ({ documents }) => {
      const row = await documents.find(first);
      if (row) await documents.delete(row);
      throw new Error('undone');
    }),
  );
  t.same(await knowledge(), { id: agentId, knowledgeVersion: 4, removals: 1 });
  t.equal(await reads.knowledge(uuidv7()), null);
});

await onEachEngine('the longest possible text of a file is stored and read in parts', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { id: agentId } = await (await service.client()).agent();
  const long = Array.from({ length: 60_000 }, (_, n) =>
    `Ünd ${n} 🕘 different words${n} stand here. `.repeat(3),
  )
    .join('\n')
    .slice(0, 7_000_000);
  const documentId = await addText(service, agentId, long);
  const { chunks } = indexText(long);
  const last = chunks.length - 1;
  const [found] = await service.store.reads.excerpts(agentId, [{ documentId, first: last, last }]);
  t.equal(found?.text, long.slice(chunks[last]?.start, chunks[last]?.end));
  let iterations = 0;
  const count = (): void => {
    iterations += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const ranges = chunks.slice(-30).map((_, n) => ({ documentId, first: last - n, last: last - n }));
  const excerpts = await service.store.reads.excerpts(agentId, ranges);
  clearImmediate(counting);
  t.ok(excerpts.every((excerpt) => excerpt !== null));
  t.ok(iterations > 5, 'other work has the event loop in between');
});
