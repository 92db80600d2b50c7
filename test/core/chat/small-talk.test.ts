import { personAskedIn, smallTalkOf } from '../../../core/chat/small-talk.js';
import { localeOf, widgetLocales } from '../../../core/locales/locale-files.js';
import { type SmallTalk, smallTalkKinds } from '../../../core/ports/model.port.js';
import t from '../../support/t.js';

const examples: [message: string, language: string, kind: SmallTalk | null][] = [
  ['hi', 'en', 'greeting'],
  ['Hello!', 'en', 'greeting'],
  ['HELLOOOO 👋', 'en', 'greeting'],
  ['Hey! Who are you?', 'en', 'greeting'],
  ['Hi there, I have a question', 'en', 'greeting'],
  ['thank you so much', 'en', 'thanks'],
  ['Ok great, thanks – that helped :-)', 'en', 'thanks'],
  ['Thanks, bye!', 'en', 'goodbye'],
  ['danke', 'en', 'thanks'],
  ["Danke, das war's", 'de', 'thanks'],
  ['¿qué tal?', 'es', 'greeting'],
  ['Hola, buenos días', 'en', 'greeting'],
  ['chau', 'es', 'goodbye'],
  ['chào', 'vi', 'greeting'],
  ['ありがとうございました。', 'ja', 'thanks'],
  ['你好，请问在吗？', 'zh-cn', 'greeting'],
  ['ขอบคุณมากครับ', 'th', 'thanks'],
  ['Привет', 'ru', 'greeting'],
  ['السلام عليكم', 'ar', 'greeting'],
  ['Hello, when are you open?', 'en', null],
  ['Who are you?', 'en', null],
  ['thanks for the gift card, how do I use it', 'en', null],
  ['great', 'en', null],
  ['hi fi', 'en', null],
  ['谢谢，怎么退货？', 'zh-cn', null],
  ['', 'en', null],
  ['?!', 'en', null],
];

for (const [message, language, kind] of examples)
  t.test(`"${message}" is ${kind ?? 'a question'} (${language})`, async (t) => {
    t.equal(smallTalkOf(message, language), kind);
  });

t.test('every locale of the widget has phrases of each kind, which are recognised', async (t) => {
  for (const locale of widgetLocales)
    for (const kind of smallTalkKinds) {
      const phrases = localeOf(locale).smallTalk?.[kind].split(',') ?? [];
      t.ok(phrases.length > 0, `${locale}: ${kind}`);
      for (const phrase of phrases) t.equal(smallTalkOf(phrase, locale), kind, `${locale}: ${phrase}`);
    }
});

t.test('a long message is not compared with all phrases', async (t) => {
  t.equal(smallTalkOf('hi '.repeat(100), 'en'), null);
});

t.test(
  'a message that asks for a person is recognised in each language, and the label of the button, too',
  async (t) => {
    for (const locale of widgetLocales) {
      const { smallTalk, talkToPerson = '' } = localeOf(locale);
      for (const phrase of [talkToPerson, ...(smallTalk?.person?.split(',') ?? [])]) {
        t.ok(personAskedIn(phrase, locale), `${locale}: ${phrase}`);
        t.equal(smallTalkOf(phrase, locale), null, `${locale}: ${phrase} has an answer of its own`);
      }
    }
    t.equal(personAskedIn('Hello, can I talk to a human?', 'en'), 'en');
    t.equal(personAskedIn('Kann ich mit einem Menschen sprechen?', 'en'), 'de');
    for (const question of ['Hello!', 'Can I talk to a human about my order?', ''])
      t.equal(personAskedIn(question, 'en'), null, question);
  },
);
