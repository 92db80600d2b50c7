import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { builtInMessages } from '../../../core/locales/built-in-messages.js';
import { englishSchema, localeSchema } from '../../../core/locales/locale.schema.js';
import { localeOf, widgetLocales } from '../../../core/locales/locale-files.js';
import { projectFile } from '../../support/project-folder.js';
import t from '../../support/t.js';

const folder = projectFile('locales/');

t.test('each file of the folder is a locale of the widget that fits the schema', async (t) => {
  t.same(
    readdirSync(folder).sort(),
    widgetLocales.map((locale) => `${locale}.json`),
  );
  const ajv = new Ajv2020({ allErrors: true });
  const isLocale = ajv.compile(localeSchema);
  for (const locale of widgetLocales) {
    const file: unknown = JSON.parse(readFileSync(new URL(`${locale}.json`, folder), 'utf8'));
    t.ok(isLocale(file), `${locale}: ${ajv.errorsText(isLocale.errors)}`);
    if (locale === 'en') t.ok(ajv.validate(englishSchema, file), `English is complete: ${ajv.errorsText()}`);
    t.notOk(isLocale({ ...(file as object), other: 1 }), 'no other fields');
  }
  t.notOk(isLocale({ widget: { opneChat: 'a' }, messages: {}, words: null }));
  t.ok(isLocale({ widget: {}, messages: {}, words: null }), 'a language without any text');
});

t.test('one file at most has the words of a language', async (t) => {
  const languages = widgetLocales
    .filter((locale) => localeOf(locale).words !== null)
    .map((locale) => locale.replace(/-.*/, ''));
  t.equal(new Set(languages).size, languages.length);
});

t.test('every locale has its own built-in messages; English replaces missing ones', async (t) => {
  const english = builtInMessages('en');
  for (const locale of widgetLocales) {
    const { onlyAttachments, ...others } = localeOf(locale).messages;
    const { onlyAttachments: _, ...expected } = english;
    t.same(Object.keys(others).sort(), Object.keys(expected).sort(), locale);
    for (const [name, message] of Object.entries(others)) {
      t.ok(message.length > 2, `${locale}: ${name}`);
      if (locale !== 'en') t.not(message, expected[name as keyof typeof expected], `${locale}: ${name}`);
    }
  }
  t.same(builtInMessages(null), english);
  t.same(builtInMessages('tlh'), english);
  t.equal(builtInMessages('af').onlyAttachments, english.onlyAttachments);
  t.equal(builtInMessages('af').nothingFound, localeOf('af').messages.nothingFound);
});
