import { widgetLocales } from '../../../core/locales/locale-files.js';
import { wordLists } from '../../../core/locales/word-lists.js';
import { questionWords } from '../../../core/retrieval/words/question-words.js';
import { similarTo } from '../../../core/retrieval/words/similar-words.js';
import { spellingsOf } from '../../../core/retrieval/words/spellings.js';
import { asksForTime, timeTermsIn } from '../../../core/retrieval/words/time-questions.js';
import { valueKindsIn } from '../../../core/retrieval/words/value-kinds.js';
import { formsOf } from '../../../core/retrieval/words/word-forms.js';
import t from '../../support/t.js';

const topicsOf = (question: string): string[] =>
  questionWords(question)
    .words.filter(({ isCommon }) => !isCommon)
    .map(({ word }) => word);

t.test('separates the topic of a question from common words, in any language', async (t) => {
  const questions: [question: string, ...topics: string[]][] = [
    ['When are you open?', 'open'],
    ['How much does the delivery to Norway cost?', 'delivery', 'norway', 'cost'],
    ['Wie lange dauert die Lieferung?', 'dauert', 'lieferung'],
    ['Quels sont les horaires de la mairie ?', 'horaires', 'mairie'],
    ['¿Qué día cierran?', 'dia', 'cierran'],
    ['Сколько весит машина?', 'весит', 'машина'],
    ['土曜日は何時までやっていますか', '土曜日'],
    ['次日达多少钱', '次日达', '钱'],
    ['营业时间是什么时候', '营业', '时间'],
    ['ห้องพักราคาเท่าไหร่', 'หอง', 'พก', 'ราคา'],
    ['colours', 'colours'],
  ];
  for (const [question, ...topics] of questions)
    t.same(
      topicsOf(question).map((word) => word.normalize('NFD').replace(/[\u0E31-\u0E4E]/g, '')),
      topics.map((word) => word.normalize('NFD').replace(/[\u0E31-\u0E4E]/g, '')),
      question,
    );
});

t.test('every language of the widget has common words', async (t) => {
  const languages = new Set(widgetLocales.map((locale) => locale.replace(/-.*/, '')));
  t.same(new Set(wordLists.keys()), languages);
});

t.test('a word of a script without spaces is represented by its sequences', async (t) => {
  const [word] = questionWords('清洗').words;
  t.same(word?.terms, ['清洗'], 'single characters occur in many other words');
  t.same(questionWords('店').words[0]?.terms, ['店']);
});

t.test('a long run without spaces is divided in linear time', async (t) => {
  // quadratic time takes minutes
  const { words } = questionWords('この製品の保証期間は購入日から一年間です'.repeat(20_000));
  t.ok(words.some(({ word }) => word === '保証'));
});

t.test('forms of a word share its stem', async (t) => {
  for (const [word, form, language] of [
    ['dogs', 'dog', 'en'],
    ['charging', 'charge', 'en'],
    ['open', 'openin', 'en'],
    ['cities', 'city', 'en'],
    ['hund', 'hunde', 'de'],
    ['чека', 'чек', 'ru'],
  ] as const)
    t.ok(formsOf(word, [language]).includes(form), `${word}: ${form}`);
  t.ok(formsOf('dogs', []).includes('dog'), 'in a question whose language is unknown');
  t.notOk(formsOf('parties', ['en']).includes('parts'));
  t.ok(formsOf('abrir', ['es']).includes('abrimo'), 'companies speak of themselves as "we"');
  t.same(formsOf('e03', ['en']), [], 'codes have no forms');
});

t.test('a misspelled word has the right spelling among its neighbours', async (t) => {
  for (const [wrong, right] of [
    ['colurs', 'colour'],
    ['waranty', 'warran'],
    ['recieve', 'receiv'],
    ['tickit', 'ticket'],
    ['robbot', 'robot'],
    ['гаранития', 'гарант'],
  ] as const)
    t.ok(spellingsOf(wrong).includes(right), `${wrong}: ${right}`);
  t.same(spellingsOf('cost'), [], 'short words have too many neighbours');
  t.same(spellingsOf('mx480'), [], 'a code is exact');
  t.same(spellingsOf('営業時間外'), []);
});

t.test('words with the same meaning and kinds of values count as the word', async (t) => {
  t.ok(similarTo('warranty', ['en']).includes('guaran'));
  t.ok(similarTo('öffnet', []).includes('geoffn'), 'in a question whose language is unknown');
  t.ok(similarTo('hire', ['en']).includes('rent'), 'on any topic');
  t.ok(similarTo('telefon', ['de']).includes('#phone'));
  t.notOk(similarTo('warranty', ['en']).includes('warran'), 'the word itself is no alternative');
  t.same(similarTo('walrus', ['en']), []);
  t.same(valueKindsIn('Open daily. Ring 045-555-0182.'), ['#phone']);
  t.same(valueKindsIn('The small one is 12 €, mail@example.com takes orders.'), ['#money', '#email']);
  t.same(valueKindsIn('In 2018, 30 people came at 10:30.'), ['#time']);
  t.same(valueKindsIn('Bake it at 230 °C. Tasting is free.'), ['#money', '#temperature']);
  t.same(valueKindsIn('30 people came with 12 dogs, version 2.13.'), []);
  for (const text of [
    'Parking is free.',
    'Eine kostenlose Probe',
    'The museum is free to enter.',
    'Wstęp bezpłatny',
    'Entrée gratuite',
    'Free entry',
  ])
    t.same(valueKindsIn(text), ['#money'], text);
  for (const text of [
    'The freezer is blue.',
    'Find us in Freedom Street.',
    'Freelancers join on Fridays.',
    'Our bread is gluten-free.',
    'Feel free to ask.',
  ])
    t.same(valueKindsIn(text), [], text);
});

t.test('a question for a time is recognised, and names of days and months answer it', async (t) => {
  for (const question of [
    'When are you open?',
    '¿A qué hora abren?',
    'Bis wann ist auf?',
    '何時に開きますか',
    'Когда вы работаете?',
  ])
    t.ok(asksForTime(question), question);
  for (const question of ['How much is it?', 'Wo sind Sie?', 'Whenever', 'Kur jūs atrodaties?'])
    t.notOk(asksForTime(question), question);
  t.match(timeTermsIn('en'), ['#time', 'monday', 'tuesda']);
  t.notOk(timeTermsIn('en').includes('may'), 'a common word');
  t.ok(timeTermsIn('ru').includes('января'), 'as in a date');
});
