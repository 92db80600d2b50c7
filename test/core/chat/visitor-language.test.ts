import { visitorLanguage } from '../../../core/chat/visitor-language.js';
import t from '../../support/t.js';

const english = [{ text: 'The ferry leaves the harbour at nine and returns before it is dark.' }];
const polish = [{ text: 'Prom odpływa z portu o dziewiątej i wraca, zanim się ściemni.' }];

t.test('guesses the language of a question, then of its source', async (t) => {
  for (const [question, sources, language] of [
    ['Wie komme ich mit dem Hund auf die Fähre?', english, 'de'],
    ['¿Cuándo sale el barco?', english, 'es'],
    ['船は何時に出ますか？', english, 'ja'],
    ['渡轮几点开？', english, 'zh-cn'],
    ['prom', polish, 'pl'],
    ['xyzzy', [], 'en'],
  ] as const)
    t.equal(visitorLanguage(question, sources), language, question);
});
