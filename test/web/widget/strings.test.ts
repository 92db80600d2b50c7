import { readFileSync } from 'node:fs';
import { widgetLocales } from '../../../core/locales/locale-files.js';
import { reviewedLocales } from '../../../web/client/reviewed-locales.js';
import { strings } from '../../../web/widget/page/strings.js';
import { projectFile } from '../../support/project-folder.js';
import t from '../../support/t.js';

type Message = string | Record<string, string>;

const messagesOf = (locale: string): Record<string, Message> =>
  (
    JSON.parse(readFileSync(projectFile(`locales/${locale}.json`), 'utf8')) as {
      widget: Record<string, Message>;
    }
  ).widget;
const expected = messagesOf('en');

const placeholders = (message: Message): string[] =>
  [...new Set(JSON.stringify(message).match(/\{\w+\}/g) ?? [])].sort();

t.test('the locales that a speaker has reviewed are locales of the widget', (t) => {
  t.same(
    reviewedLocales.filter((locale) => !widgetLocales.includes(locale)),
    [],
  );
  t.end();
});

t.test('each language has the texts and placeholders of the English ones', (t) => {
  for (const locale of widgetLocales) {
    const messages = messagesOf(locale);
    t.same(Object.keys(messages).sort(), Object.keys(expected).sort(), `${locale}: keys`);
    for (const [key, message] of Object.entries(messages)) {
      const about = `${locale}: ${key}`;
      t.same(placeholders(message), placeholders(expected[key] ?? ''), `${about}: placeholders`);
      t.equal(typeof message, typeof expected[key], about);
      const forms = typeof message === 'string' ? [message] : Object.values(message);
      t.ok(
        forms.every((text) => text.trim() !== ''),
        `${about}: not blank`,
      );
    }
  }
  t.end();
});

t.test('each language has a text for each of its plural forms', (t) => {
  for (const locale of widgetLocales) {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    for (const [key, message] of Object.entries(messagesOf(locale)))
      if (typeof message === 'object')
        t.same(Object.keys(message).sort(), [...pluralCategories].sort(), `${locale}: ${key}`);
  }
  t.end();
});

t.test('a text has its number, in the plural form and the digits of the language', (t) => {
  const english = strings('en', expected as unknown as Parameters<typeof strings>[1]);
  t.equal(english.text('tooLong', { count: 1 }), 'Shorten your message by 1 character.');
  t.equal(english.text('tooLong', { count: 1200 }), 'Shorten your message by 1,200 characters.');
  t.equal(english.text('poweredBy', { name: 'Cadre' }), 'Powered by Cadre');
  t.equal(english.dir, 'ltr');
  const rightToLeft = widgetLocales.filter(
    (locale) => strings(locale, expected as unknown as Parameters<typeof strings>[1]).dir === 'rtl',
  );
  t.same(rightToLeft, ['ar', 'fa', 'he', 'ur']);
  t.end();
});

t.test('a wait is told in seconds, minutes or hours', (t) => {
  const german = strings('de', messagesOf('de') as unknown as Parameters<typeof strings>[1]);
  const wait = (seconds: number): string => german.text('wait', { seconds });
  t.equal(wait(1), 'Sie können in 1 Sekunde wieder schreiben.');
  t.equal(wait(119), 'Sie können in 119 Sekunden wieder schreiben.');
  t.equal(wait(121), 'Sie können in 3 Minuten wieder schreiben.');
  t.equal(wait(3600), 'Sie können in 60 Minuten wieder schreiben.');
  t.equal(wait(34_262), 'Sie können in 10 Stunden wieder schreiben.');
  t.end();
});
