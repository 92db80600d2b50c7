import { body, invalid, refused } from '../../support/api-client.js';
import { type Hit, searchedAgent } from '../../support/searching.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const articles: Record<string, string> = {
  Hours: 'We are open from nine to five. On Sundays the shop stays closed.',
  Returns: 'Goods can be returned within thirty days. Keep the receipt.',
  Warehouse: 'Our warehouse stands in Rotterdam 🏭, beside the harbour. It holds ten thousand parts.',
  Öffnungszeiten: 'Das Geschäft ist werktags geöffnet; sonntags bleibt es geschlossen.',
  营业时间: '商店从早上九点营业到下午五点，周日休息。',
};

await onEachEngine('new sources are found at once, in any script', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { api, agent, addText, search } = await searchedAgent(service);
  t.same(await search('anything'), [], 'an agent that knows nothing');
  const ids: Record<string, string> = {};
  for (const [title, content] of Object.entries(articles)) ids[title] = await addText(title, content);

  const questions: Record<string, string> = {
    'When can I return goods?': 'Returns',
    'Where is the warehouse?': 'Warehouse',
    'are you open on SUNDAY': 'Hours',
    'Wann ist sonntags geöffnet?': 'Öffnungszeiten',
    几点营业: '营业时间',
  };
  for (const [question, title] of Object.entries(questions)) {
    const [best] = await search(question);
    t.match(best, { documentId: ids[title], title, url: null, sourceType: 'text_snippet' }, question);
    const { text } = await body(api.get<{ text: string }>(`${agent}/sources/${ids[title]}/content`));
    t.equal([...text].slice(best?.start, best?.end).join(''), best?.text, 'the excerpt is in the content');
  }
  t.same(await search('zzzzzz'), []);
  t.equal((await search('returned', { limit: 1 })).length, 1);
});

await onEachEngine('title and headings are words of every chunk', async (t, engine) => {
  const { addText, search } = await searchedAgent(await startTestService(t, { engine }));
  const filler = 'Nothing that was asked for stands in here, only plain sentences. '.repeat(30);
  const id = await addText('Zanzibar', `# Quokka\n\n## First\n\n${filler}\n\n## Second\n\n${filler}`);
  await addText('Other', filler);
  const titled = await search('zanzibar');
  const headed = await search('quokka');
  t.ok(titled.length > 1 && titled.every(({ documentId }) => documentId === id));
  t.equal(headed.length, titled.length);
});

await onEachEngine('a deleted document is never found again, nor is another agent’s', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const one = await searchedAgent(service);
  const other = await searchedAgent(service);
  const beside = (await service.beside()).api(one.apiKey);
  const searchBeside = one.searchBy(beside);
  const id = await one.addText('Secret', 'The password is swordfish.');
  await one.addText('Public', 'The shop sells swordfish, too.');
  const found = await one.search('password swordfish');
  t.equal(found.length, 2);
  t.same(await searchBeside('password swordfish'), found, 'by every process in the same way');
  t.same(await other.search('password swordfish'), []);
  t.equal((await one.forget(id)).status, 200);
  for (const search of [searchBeside, one.search]) {
    const left = await search('password swordfish');
    t.same(
      left.map(({ title }) => title),
      ['Public'],
    );
  }
});

await onEachEngine('can be limited to sources of one type', async (t, engine) => {
  const { api, agent, addText, search } = await searchedAgent(await startTestService(t, { engine }));
  await addText('Text', 'Apples are red.');
  await body(
    api.post(`${agent}/sources/qna`, { title: 'Entry', questions: ['Are apples red?'], answer: 'Some are.' }),
  );
  const types = async (more: object) =>
    (await search('apples red', more)).map(({ sourceType }) => sourceType);
  t.same((await types({})).sort(), ['qna_entry', 'text_snippet']);
  t.same(await types({ sourceType: 'qna_entry' }), ['qna_entry']);
  t.same(await types({ sourceType: 'web_crawl' }), []);
});

t.test('validates the question', async (t) => {
  const service = await startTestService(t);
  const { api, agent } = await searchedAgent(service);
  const ask = (request: object) => api.post(`${agent}/search`, request);
  invalid(t, await ask({}), 'query');
  invalid(t, await ask({ query: '' }), 'query');
  invalid(t, await ask({ query: ' \n' }), 'query');
  invalid(t, await ask({ query: 'x'.repeat(16_385) }), 'query');
  invalid(t, await ask({ query: 'x', limit: 0 }), 'limit');
  invalid(t, await ask({ query: 'x', limit: 101 }), 'limit');
  invalid(t, await ask({ query: 'x', limit: '5' }), 'limit');
  invalid(t, await ask({ query: 'x', sourceType: 'book' }), 'sourceType');
  t.equal((await ask({ query: '🦩'.repeat(16_384), limit: 100 })).status, 200);
  const foreign = await service.client();
  refused(t, await foreign.post(`${agent}/search`, { query: 'x' }), 404, 'AGENT_NOT_FOUND');
});

await onEachEngine(
  'a result is the block that matches best, and says whether it covers the query',
  async (t, engine) => {
    const { api, agent, addText } = await searchedAgent(await startTestService(t, { engine }));
    const text = [
      '# Camp 🏕',
      'The camp lies beside a lake. Boats leave every hour.',
      'Please bring these things:',
      '- a sleeping bag\n- sturdy shoes\n- a torch',
      '| Tent | Price |\n| --- | --- |\n| small | 12 euros |\n| large | 19 euros |',
    ].join('\n\n');
    const id = await addText('Summer', text);
    await body(
      api.post(`${agent}/sources/qna`, {
        title: 'Dogs',
        questions: ['Are dogs allowed?'],
        answer: 'On a lead.',
      }),
    );
    const search = async (query: string, more: object = {}) =>
      await body(api.post<{ data: Hit[]; covered: boolean }>(`${agent}/search`, { query, ...more }));

    const list = await search('sleeping bag and torch');
    t.equal(list.covered, true);
    t.equal(list.data[0]?.text, 'Please bring these things:\n\n- a sleeping bag\n- sturdy shoes\n- a torch');
    const table = await search('price of a large tent');
    t.match(table.data[0]?.text, /^\| Tent \| Price \|[\s\S]*\| large \| 19 euros \|$/);
    const { text: content } = await body(api.get<{ text: string }>(`${agent}/sources/${id}/content`));
    for (const { start, end, text } of [list.data[0], table.data[0]] as Hit[])
      t.equal([...content].slice(start, end).join(''), text, 'its offsets are those in the content');
    const entry = await search('are dogs allowed');
    t.match(entry.data[0]?.text, /Are dogs allowed\?\nA: On a lead\./, 'an entry stays whole');

    for (const query of ['Is there a swimming pool with a water slide?', 'xylophone'])
      t.equal((await search(query)).covered, false, query);
    t.equal((await search('sleeping bag', { limit: 1 })).covered, true, 'whatever the limit is');
    t.equal(
      (await search('sleeping bag', { sourceType: 'qna_entry' })).covered,
      false,
      'only in these sources',
    );
  },
);
