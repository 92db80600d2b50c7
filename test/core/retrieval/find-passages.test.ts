import { ask } from '../../../core/retrieval/ask.js';
import { createFindPassages } from '../../../core/retrieval/find-passages.js';
import { createSearch } from '../../../core/retrieval/search.js';
import { searchInstallation } from '../../support/search-installation.js';
import { searchedAgent } from '../../support/searching.js';
import { emptyDatabase, onEachEngine, startTestService } from '../../support/service.js';

type Document = { title: string; text: string };

const sentence = (n: number) => `Plain sentence number ${n} says little about anything at all. `;
const filler = (from: number) => Array.from({ length: 15 }, (_, n) => sentence(from + n)).join('');

await onEachEngine('finds the passages for a question', async (t, engine) => {
  const installation = await searchInstallation(await emptyDatabase(t, engine));
  t.teardown(() => installation.close());
  const finder = async (documents: Document[], maxContextTokens = 6000) => {
    const { agentId } = await installation.agentWith(documents);
    const find = installation.finder(maxContextTokens);
    return (question: string, previous?: string) => find(agentId, question, previous);
  };

  await t.test('returns no passages if the agent knows nothing about the question', async (t) => {
    const nothing = await finder([]);
    t.match(await nothing('What is a zebra?'), { passages: [], coverage: 0, support: 'none' });
    const find = await finder([{ title: 'Hours', text: 'We open at nine.' }]);
    t.match(await find('zebra'), { passages: [], coverage: 0 });
  });

  await t.test('answers the first question to the first source', async (t) => {
    const find = await finder([{ title: 'Hours', text: 'We are open from nine to five.' }]);
    const { passages, support } = await find('When are you open, please?');
    t.match(passages, [{ title: 'Hours', start: 0, end: 30, text: 'We are open from nine to five.' }]);
    t.equal(support, 'covered');
  });

  await t.test('an agent of any size knows what it does not know', async (t) => {
    const lamp = {
      title: 'Reading lamp',
      text: 'The lamp charges in 90 minutes. It weighs 85 grams and comes in black, sand and olive.',
    };
    const others = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ title: `Note ${n}`, text: filler(n * 20) }));
    for (const count of [0, 10, 60]) {
      const find = await finder([lamp, ...others(count)]);
      for (const [question, support] of [
        ['How long does it take to charge?', 'covered'],
        ['How much does the lamp weigh?', 'covered'],
        ['What is the capital of France?', 'none'],
        ['Who won the election?', 'none'],
        ['What is it?', 'none'],
        ['Does the lamp have a remote?', 'near'],
      ] as const)
        t.equal((await find(question)).support, support, `${count + 1} documents: ${question}`);
    }
  });

  await t.test('finds misspelled words, other forms of words and similar words', async (t) => {
    const find = await finder([
      { title: 'Pets', text: 'Dogs are welcome. Cats must stay outside.' },
      { title: 'Hours', text: 'We open at nine.' },
      { title: 'Gifts', text: 'A voucher is valid for three years.' },
      { title: 'Prices', text: 'You get a voucher for 20 € or 50 €.' },
    ]);
    for (const [question, title] of [
      ['Can my dog come?', 'Pets'],
      ['opening time', 'Hours'],
      ['vuocher', 'Gifts'],
      ['How long is a vouchr valid?', 'Gifts'],
      ['voucher price', 'Prices'],
      ['Are pets welcome?', 'Pets'],
    ] as const) {
      const { passages, support } = await find(question);
      t.match({ title: passages[0]?.title, support }, { title, support: 'covered' }, question);
    }
    t.equal((await find('walnut')).support, 'none');
  });

  await t.test('prefers sources with a time if the question asks for one', async (t) => {
    const find = await finder([
      { title: 'Claims', text: 'Open a claim if a parcel is late.' },
      {
        title: 'Shop',
        text: 'On Monday and Friday it is open from 9:30 to 18:00.',
      },
    ]);
    t.equal((await find('When are you open?')).passages[0]?.title, 'Shop');
  });

  await t.test('one likely spelling in a large agent does not answer a foreign question', async (t) => {
    const others = Array.from({ length: 80 }, (_, n) => ({
      title: n < 3 ? 'Better' : `Note ${n}`,
      text: filler(n * 20),
    }));
    const find = await finder([{ title: 'País', text: 'Un país al margen de la ley.' }, ...others]);
    t.equal((await find('Wie wird das Wetter morgen?')).support, 'near');
  });

  await t.test('reads each text once if it searches again with a corrected spelling', async (t) => {
    const { agentId } = await installation.agentWith([
      { title: 'Gifts', text: 'A voucher is valid for three years.' },
      { title: 'Returns', text: 'A lamp is valid for return within thirty days.' },
    ]);
    const { reads } = installation.store;
    const read: string[] = [];
    const search = createSearch(installation.retrieval, {
      ...reads,
      async excerpts(id, ranges) {
        read.push(...ranges.map(({ documentId }) => documentId));
        return reads.excerpts(id, ranges);
      },
    });
    const agent = { id: agentId, knowledgeVersion: 1, removals: 0 };
    const question = 'How long is a vouchr valid?';
    const { found, support } = await ask(search, { agent, question, limit: 10, sourceTypes: null });
    t.match({ title: found[0]?.excerpt.title, support }, { title: 'Gifts', support: 'covered' });
    t.same(read.sort(), [...new Set(read)], 'each text once');
  });

  await t.test('completes a list or code that chunks have cut', async (t) => {
    const items = Array.from({ length: 34 }, (_, n) => `- Spare part ${n}: a bolt 𝒩 of the usual size`);
    items[30] = '- Spare part 30: the zebra lid';
    const list = `These parts are in stock:\n\n${items.join('\n')}`;
    const lines = Array.from({ length: 52 }, (_, n) => `const value${n} = compute(${n}, 'walrus');`);
    const code = `\`\`\`js\nopenPenguin();\n${lines.join('\n')}\n\`\`\``;
    for (const [question, before, whole] of [
      ['zebra lid', `${filler(0)}\n\n`, list],
      ['openPenguin', '', code],
    ] as const) {
      const text = `${before}${whole}\n\n${filler(40)}`;
      const [found] = (await (await finder([{ title: 'Whole', text }]))(question)).passages;
      t.ok(found?.text.includes(whole), question);
      t.equal([...text].slice(found?.start, found?.end).join(''), found?.text);
    }
  });

  await t.test(
    'does not complete a table over several chunks, which has its header as a heading',
    async (t) => {
      const rows = Array.from({ length: 200 }, (_, n) => `| part ${n} | ${n % 7} pieces of it | £${n} |`);
      rows[120] = '| zebra lid | 2 pieces | £3 |';
      const text = `| Part | Stock | Price |\n| --- | --- | --- |\n${rows.join('\n')}`;
      const find = await finder([{ title: 'Prices', text }]);
      const [found] = (await find('zebra lid')).passages;
      t.ok((found?.text.length ?? 0) <= 2000);
      t.same(found?.headings, ['| Part | Stock | Price |']);
    },
  );

  await t.test('returns at most three passages per document and eight in total', async (t) => {
    const long = Array.from(
      { length: 6 },
      (_, n) => `## Part ${n}\n\nPenguins swim. ${filler(n * 100)}`,
    ).join('\n\n');
    const documents = Array.from({ length: 5 }, (_, n) => ({ title: `Book ${n}`, text: long }));
    const { passages } = await (await finder(documents))('Do penguins swim?');
    t.equal(passages.length, 8);
    const counts = new Map<string, number>();
    for (const { documentId } of passages) counts.set(documentId, (counts.get(documentId) ?? 0) + 1);
    t.ok([...counts.values()].every((count) => count <= 3));
    const few = await (await finder(documents, 400))('Do penguins swim?');
    t.equal(few.passages.length, 1, 'what does not fit the context stays out');
  });

  await t.test('a short hit is returned with its neighbour', async (t) => {
    const text = `## Walrus\n\nTusks.\n\n## Next\n\n${filler(0)}${filler(50)}`;
    const { passages } = await (await finder([{ title: 'Animals', text }]))('walrus');
    t.equal(passages.length, 1);
    t.match(passages[0], { start: 0, headings: ['Walrus'] });
    t.match(passages[0]?.text, /Tusks\.\n\n## Next\n\nPlain sentence/);
  });

  await t.test('a follow-up question includes the previous one', async (t) => {
    const find = await finder([
      { title: 'Delivery', text: 'Parcels to Norway take six days.' },
      { title: 'Norway', text: 'Sweden is beside Norway.' },
      { title: 'Prices', text: 'Parcels to Sweden cost nine euros.' },
    ]);
    const { passages } = await find('and to Sweden?', 'How much do parcels cost?');
    t.equal(passages[0]?.title, 'Prices');
    t.ok(
      (await find('and to Sweden?', 'How much do parcels cost?')).terms.some(({ term }) => term === 'parcel'),
    );
  });
});

await onEachEngine('an entry with a similar question comes first', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { api, agent, id, addText, search } = await searchedAgent(service);
  for (let n = 0; n < 3; n++)
    await addText('Warranty warranty', 'The warranty: how long is the warranty? Long is the warranty.');
  await api.post(`${agent}/sources/qna`, {
    title: 'Entry',
    questions: ['How long is the warranty?'],
    answer: `Two years. ${filler(0)}`,
  });
  const question = 'Tell me how long the warranty is';
  const [best] = await search(question);
  t.equal(best?.sourceType, 'text_snippet', 'it does not rank first');
  const installation = await searchInstallation(service.databaseUrl);
  t.teardown(() => installation.close());
  const { reads } = installation.store;
  const find = createFindPassages({
    search: createSearch(installation.retrieval, reads),
    reads,
    maxContextTokens: 6000,
  });
  const knowledge = await reads.knowledge(id);
  if (!knowledge) throw new Error('no agent');
  const { passages } = await find(knowledge, question);
  t.equal(passages[0]?.sourceType, 'qna_entry');
});
