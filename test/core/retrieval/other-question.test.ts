import { searchInstallation } from '../../support/search-installation.js';
import { emptyDatabase, onEachEngine } from '../../support/service.js';

const repairs = [
  ['Do you repair phones?', 'Do you sell phones?', 'Do you repair cameras?', 'Do you repair laptops?'],
  ['Reparieren Sie Handys?', 'Verkaufen Sie Handys?', 'Reparieren Sie Kameras?', 'Reparieren Sie Laptops?'],
  ['¿Reparan teléfonos?', '¿Venden teléfonos?', '¿Reparan relojes?', '¿Reparan laptops?'],
  [
    'Czy naprawiacie telefony?',
    'Czy sprzedajecie telefony?',
    'Czy naprawiacie zegarki?',
    'Czy naprawiacie laptopy?',
  ],
  [
    'Вы ремонтируете телефоны?',
    'Вы продаёте телефоны?',
    'Вы ремонтируете часы?',
    'Вы ремонтируете ноутбуки?',
  ],
  ['你们修手机吗？', '你们卖手机吗？', '你们修手表吗？', '你们修平板吗？'],
] as const;

await onEachEngine(
  'an entry answers its own question, and no other with the same object or verb',
  async (t, engine) => {
    const installation = await searchInstallation(await emptyDatabase(t, engine));
    t.teardown(() => installation.close());
    const find = installation.finder();
    for (const [question, ...others] of repairs) {
      const { agentId } = await installation.agentWith([
        { title: 'Fixit', text: `Q: ${question}\nA: No, but Fixit does.`, sourceType: 'qna_entry' },
        { title: 'Shop', text: 'Ten to six.' },
        { title: 'Data', text: 'Two copies.' },
      ]);
      for (const previous of [undefined, question])
        for (const other of others)
          t.not((await find(agentId, other, previous)).support, 'covered', `${question} ${other}`);
      t.equal((await find(agentId, question, others[0])).support, 'covered', question);
    }
  },
);

await onEachEngine('an entry answers further forms of its question', async (t, engine) => {
  const installation = await searchInstallation(await emptyDatabase(t, engine));
  t.teardown(() => installation.close());
  const { agentId } = await installation.agentWith([
    {
      title: 'Gifts',
      text: 'Q: Can I get gift cards in the shop?\nA: Yes, from 10 euros.',
      sourceType: 'qna_entry',
    },
    { title: 'Data', text: 'Two copies.' },
  ]);
  const find = installation.finder();
  for (const question of ['gift cards', 'Do you sell gift cards?', 'Does the shop have gift cards?'])
    t.equal((await find(agentId, question)).support, 'covered', question);
});
