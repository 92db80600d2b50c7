import { isSameQuestion } from '../../../core/retrieval/same-question.js';
import { refersBack } from '../../../core/retrieval/words/follow-ups.js';
import { searchInstallation } from '../../support/search-installation.js';
import { emptyDatabase, onEachEngine } from '../../support/service.js';
import t from '../../support/t.js';

t.test('tells questions that depend on the one before, in many languages', async (t) => {
  for (const [before, question, expected] of [
    ['How much is a sauna ticket?', 'And for two people?', true],
    ['How much is a sauna ticket?', 'What about children?', true],
    ['Do you have a sauna?', 'How hot is it?', true],
    ['Do you have a sauna?', 'Can I bring my towel?', false],
    ['Do you have a sauna?', 'Is the pool open at night?', false],
    ['Gibt es eine Sauna?', 'Was kostet das?', true],
    ['Gibt es eine Sauna?', 'Was kostet das Handtuch?', false],
    ['¿Hay sauna?', '¿Y los domingos?', true],
    ['¿Hay sauna?', '¿Cuánto cuesta la toalla?', false],
    ['C’è la sauna?', 'E la domenica?', true],
    ['Czy jest sauna?', 'A w niedzielę?', true],
    ['サウナはありますか？', '日曜日は？', true],
    ['サウナはありますか？', 'タオルを借りられますか？', false],
    ['有桑拿吗？', '星期天呢？', true],
    ['Quanto custa a sauna?', 'É possível pagar com cartão?', false],
  ] as const)
    t.equal(refersBack(question, before), expected, `${before} ${question}`);
});

t.test('compares questions without case, accents and punctuation', async (t) => {
  t.ok(isSameQuestion('  can I PAY by card', 'Can I pay by card?'));
  t.notOk(isSameQuestion('Can I pay by cheque?', 'Can I pay by card?'));
  t.notOk(isSameQuestion('?', '!'), 'no words');
});

await onEachEngine('searches with the previous message if the question depends on it', async (t, engine) => {
  const installation = await searchInstallation(await emptyDatabase(t, engine));
  t.teardown(() => installation.close());
  const { agentId } = await installation.agentWith([
    { title: 'Sauna', text: 'A sauna ticket is 14 euros. Children pay 7 euros. The sauna opens at two.' },
    { title: 'Pool', text: 'A pool ticket is 6 euros. Children pay 3 euros. The pool opens at seven.' },
    { title: 'Paying', text: 'You can pay by card from 5 euros.' },
    { title: 'Lockers', text: 'Lockers need a coin.' },
    { title: 'Staff', text: 'Q: Who runs the pool bar?\nA: Olga does.', sourceType: 'qna_entry' },
    {
      title: 'Pool bar',
      text: 'The pool bar: Olga runs the bar. The bar is at the pool. Who runs to the pool bar?',
    },
  ]);
  const find = installation.finder();
  const best = async (question: string, previous?: string) =>
    (await find(agentId, question, previous)).passages[0]?.title;

  const card = 'Can I pay by card?';
  t.same(
    (await find(agentId, card, 'How much is a sauna ticket?')).terms,
    (await find(agentId, card)).terms,
    'a complete question is searched alone',
  );
  t.equal(await best(card, 'How much is a sauna ticket?'), 'Paying');
  t.equal(await best('lockers', 'How much is a sauna ticket?'), 'Lockers');
  for (const place of ['Sauna', 'Pool'])
    for (const question of ['And for children?', 'How much does it cost?', 'When does it open?', 'children'])
      t.equal(await best(question, `Is there a ${place}?`), place, `${place}: ${question}`);
  const { support } = await find(agentId, 'And for dogs?', 'How much is a sauna ticket?');
  t.not(support, 'covered', 'the message before does not answer for another topic');

  for (const previous of [undefined, 'When does the sauna open?', 'And children?']) {
    const found = await find(agentId, 'who runs the POOL bar', previous);
    t.match(found, { support: 'covered', coverage: 1 });
    t.equal(found.passages[0]?.sourceType, 'qna_entry', 'an entry with the same question comes first');
  }
});
