import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import { bySourceType } from '../../core/knowledge/sources/source-types.js';
import { documentsOf } from './documents.js';
import type { StoreTest } from './store.contract.js';
import { contentOf, documentOf, filePath, idsOf, NOW, pageOf } from './store.contract.subject.js';

export function describeTurnDocuments(test: StoreTest): void {
  test('a document is stored as given and counted by type', async (s) => {
    const agentId = await s.newAgent();
    const url = 'https://a.example/page?q=ü';
    const page = { ...pageOf({ id: agentId, workspaceId: s.workspaceId }, url), metadata: { a: [1, 'ü'] } };
    await s.turn(agentId, async (turn) => {
      await turn.documents.insert(page, contentOf('A page \u{1F600}.'));
      await turn.documents.insert(documentOf(turn.agent), contentOf('A snippet.'));
    });
    assert.deepEqual(await s.beside.reads.document(agentId, page.id), page);
    assert.deepEqual(await s.beside.reads.content(agentId, page.id), ['A page \u{1F600}.']);
    assert.equal(await s.beside.reads.contentBytes(agentId, page.id), 12);
    assert.equal(await s.beside.reads.contentPart(agentId, page.id, 5, 3), 'e \u{1F600}');
    assert.equal(await s.beside.reads.contentPart(agentId, page.id, 8, 3), '.');
    assert.equal(await s.beside.reads.contentPart(agentId, page.id, 9, 3), '');
    const agent = await s.seen(agentId);
    assert.deepEqual(agent?.documents, { ...bySourceType(() => 0), web_crawl: 1, text_snippet: 1 });
    assert.deepEqual([agent?.knowledgeVersion, agent?.removals], [2, 0]);
    await s.turn(agentId, async (turn) => {
      assert.deepEqual(await turn.documents.find(page.id), page);
      assert.deepEqual(await turn.documents.findByUrl(url), page);
      assert.equal(await turn.documents.findByUrl('https://a.example/'), null);
    });
  });

  test('a turn finds no document of another agent', async (s) => {
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const page = pageOf({ id: agentId, workspaceId: s.workspaceId }, 'https://a.example/');
    await s.turn(agentId, (turn) => turn.documents.insert(page, contentOf('A page.')));
    await s.turn(other, async (turn) => {
      assert.equal(await turn.documents.find(page.id), null);
      assert.equal(await turn.documents.findByUrl('https://a.example/'), null);
      assert.deepEqual(await turn.documents.pages(null, 10), []);
      await turn.documents.insert(pageOf(turn.agent, 'https://a.example/'), contentOf('The same page.'));
    });
  });

  test('a long content is read consistently while it is replaced', async (s) => {
    const agentId = await s.newAgent();
    const document = documentOf({ id: agentId, workspaceId: s.workspaceId });
    const texts = ['ä', 'ö'].map((letter) => `a${`${letter}\u{1F600}`.repeat(500_000)}`);
    const [first = '', second = ''] = texts;
    const read = async () => (await s.beside.reads.content(agentId, document.id))?.join('') ?? '';
    await s.turn(agentId, (turn) => turn.documents.insert(document, contentOf(first)));
    // Unlike assert.equal, does not print megabytes.
    assert.ok((await read()) === first);
    const reading = Promise.all([1, 2, 3].map(read));
    await s.turn(agentId, (turn) =>
      turn.documents.update(document.id, { contentHash: 'other' }, contentOf(second)),
    );
    assert.ok((await reading).every((text) => texts.includes(text)));
    assert.ok((await read()) === second);
  });

  test('an update changes only the given fields; a content is replaced atomically', async (s) => {
    const agentId = await s.newAgent();
    const document = documentOf({ id: agentId, workspaceId: s.workspaceId });
    await s.turn(agentId, (turn) => turn.documents.insert(document, contentOf('First.')));
    await s.turn(agentId, (turn) => turn.documents.update(document.id, { title: 'New title' }));
    assert.deepEqual(await s.beside.reads.document(agentId, document.id), {
      ...document,
      title: 'New title',
    });
    assert.equal((await s.beside.reads.content(agentId, document.id))?.join(''), 'First.');
    assert.deepEqual([(await s.seen(agentId))?.version, (await s.seen(agentId))?.knowledgeVersion], [3, 1]);
    await s.turn(agentId, (turn) =>
      turn.documents.update(document.id, { bytes: 7, contentHash: 'other' }, contentOf('Second.')),
    );
    assert.equal((await s.beside.reads.content(agentId, document.id))?.join(''), 'Second.');
    assert.equal((await s.beside.reads.document(agentId, document.id))?.bytes, 7);
    assert.equal((await s.seen(agentId))?.knowledgeVersion, 2);
    const [excerpt] = await s.beside.reads.excerpts(agentId, [
      { documentId: document.id, first: 0, last: 0 },
    ]);
    assert.deepEqual([excerpt?.text, excerpt?.version], ['Second.', 2]);
  });

  test('a document may be inserted, changed and deleted in one turn', async (s) => {
    const agentId = await s.newAgent();
    const url = 'https://a.example/';
    const [first, second] = await s.turn(agentId, async (turn) => {
      const first = pageOf(turn.agent, url);
      await turn.documents.insert(first, contentOf('First.'));
      await turn.documents.update(first.id, { title: 'Changed' }, contentOf('First, changed.'));
      assert.equal((await turn.documents.find(first.id))?.title, 'Changed');
      await turn.documents.delete(first);
      assert.equal(await turn.documents.find(first.id), null);
      assert.equal(await turn.documents.findByUrl(url), null);
      // The URL is available again at once.
      const second = pageOf(turn.agent, url);
      await turn.documents.insert(second, contentOf('Second.'));
      await turn.documents.update(second.id, { title: 'One' });
      await turn.documents.update(second.id, { bytes: 99 });
      assert.equal((await turn.documents.findByUrl(url))?.id, second.id);
      assert.deepEqual(idsOf(await turn.documents.pages(null, 10)), [second.id]);
      return [first, second] as const;
    });
    assert.equal(await s.beside.reads.document(agentId, first.id), null);
    const stored = await s.beside.reads.document(agentId, second.id);
    assert.deepEqual([stored?.title, stored?.bytes], ['One', 99]);
    assert.equal((await s.beside.reads.content(agentId, second.id))?.join(''), 'Second.');
    const agent = await s.seen(agentId);
    assert.deepEqual([agent?.documents.web_crawl, agent?.removals, agent?.version], [1, 1, 2]);
  });

  test('a page that is deleted and added again in one turn replaces the stored one', async (s) => {
    const agentId = await s.newAgent();
    const url = 'https://a.example/';
    const old = pageOf({ id: agentId, workspaceId: s.workspaceId }, url);
    await s.turn(agentId, (turn) => turn.documents.insert(old, contentOf('Old.')));
    const next = await s.turn(agentId, async (turn) => {
      await turn.documents.delete(old);
      const row = pageOf(turn.agent, url);
      await turn.documents.insert(row, contentOf('New.'));
      return row;
    });
    const rows = await documentsOf(s.beside, agentId);
    assert.deepEqual(idsOf(rows), [next.id]);
    const agent = await s.seen(agentId);
    assert.deepEqual([agent?.documents.web_crawl, agent?.removals, agent?.knowledgeVersion], [1, 1, 3]);
  });

  test('a document is deleted with its content; its object is left to the caller', async (s) => {
    const agentId = await s.newAgent();
    const storagePath = filePath(agentId, 'a.txt');
    const file = documentOf(
      { id: agentId, workspaceId: s.workspaceId },
      { sourceType: 'file_upload', storagePath },
    );
    await s.turn(agentId, (turn) => turn.documents.insert(file, contentOf('A file.')));
    await s.turn(agentId, (turn) => turn.documents.delete(file));
    assert.equal(await s.beside.reads.document(agentId, file.id), null);
    assert.equal(await s.beside.reads.content(agentId, file.id), null);
    assert.equal(await s.beside.reads.contentBytes(agentId, file.id), null);
    assert.deepEqual(await s.beside.reads.excerpts(agentId, [{ documentId: file.id, first: 0, last: 0 }]), [
      null,
    ]);
    const agent = await s.seen(agentId);
    assert.deepEqual([agent?.documents.file_upload, agent?.knowledgeVersion, agent?.removals], [0, 2, 1]);
    assert.deepEqual(await s.beside.uploads.discards(NOW + 1, null, 10), []);
  });

  test('pages are in order of ids, at most as many as requested', async (s) => {
    const agentId = await s.newAgent();
    const pages = await s.turn(agentId, async (turn) => {
      const rows = ['c', 'a', 'b', 'd'].map((name) => ({
        ...pageOf(turn.agent, `https://${name}.example/`),
        metadata: { etag: name },
      }));
      for (const row of [...rows].reverse()) await turn.documents.insert(row, contentOf('A page.'));
      await turn.documents.insert(documentOf(turn.agent), contentOf('No page.'));
      return rows;
    });
    await s.turn(agentId, async (turn) => {
      assert.deepEqual(
        await turn.documents.pages(null, 3),
        pages.slice(0, 3).map(({ id, url, contentHash, metadata }) => ({ id, url, contentHash, metadata })),
      );
      assert.deepEqual(idsOf(await turn.documents.pages(pages[2]?.id ?? '', 3)), [pages[3]?.id]);
    });
  });

  test('a reindexed content is found by its new index; an identical index changes no version', async (s) => {
    const agentId = await s.newAgent();
    const document = documentOf({ id: agentId, workspaceId: s.workspaceId });
    const content = contentOf('What it says.');
    await s.turn(agentId, (turn) => turn.documents.insert(document, content));
    await s.turn(agentId, (turn) => turn.documents.reindex(document.id, content));
    assert.equal((await s.seen(agentId))?.knowledgeVersion, 1);
    const otherwise = {
      chunks: content.chunks,
      segment: contentOf('What it says.', 'Another title').segment,
    };
    await s.turn(agentId, (turn) => turn.documents.reindex(document.id, otherwise));
    assert.equal((await s.seen(agentId))?.knowledgeVersion, 2);
    assert.equal((await s.beside.reads.content(agentId, document.id))?.join(''), 'What it says.');
  });

  test('a missing document is not found', async (s) => {
    const agentId = await s.newAgent();
    await s.turn(agentId, async (turn) => {
      assert.equal(await turn.documents.find(uuidv7()), null);
      assert.equal(await turn.documents.find(''), null);
    });
  });
}
