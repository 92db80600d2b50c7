import { canonicalLocale } from '../../../core/locales/canonical-locale.js';
import { widgetLocales } from '../../../core/locales/locale-files.js';
import { corpusMissing, corpusTable } from '../../support/corpus/table.js';
import t from '../../support/t.js';

t.test('the list contains the locales of the contract in canonical form', async (t) => {
  const named = 'en es fr de it pt nl pl ru tr ar he ja ko zh-cn zh-tw'.split(' ');
  for (const locale of named) t.ok(widgetLocales.includes(locale), locale);
  t.ok(widgetLocales.length >= 40);
  t.equal(new Set(widgetLocales).size, widgetLocales.length);
  for (const locale of widgetLocales) t.equal(canonicalLocale(locale), locale);
});

t.test('maps regional, script, old and unusual forms to the canonical one', async (t) => {
  const forms: Record<string, string> = {
    ...{
      en_AU: 'en',
      pt_pt: 'pt',
      'PT-AO': 'pt',
      'es-MX': 'es',
      'de-AT': 'de',
      'ja-JP': 'ja',
      'ko-KR': 'ko',
    },
    ...{ 'zh-TW': 'zh-tw', ZH_hant_hk: 'zh-tw', 'zh-CN': 'zh-cn' },
    ...{
      'en-US': 'en',
      en_us: 'en',
      EN: 'en',
      'en-GB': 'en',
      'en-US-u-ca-gregory': 'en',
      'en-x-private': 'en',
      ' en ': 'en',
    },
    ...{
      'pt-BR': 'pt',
      pt_PT: 'pt',
      'es-419': 'es',
      'fr-CA': 'fr',
      'de-CH-1996': 'de',
      'sr-Latn-RS': 'sr',
      'az-Cyrl': 'az',
    },
    ...{
      zh: 'zh-cn',
      'zh-Hans': 'zh-cn',
      'zh-SG': 'zh-cn',
      'ZH-cn': 'zh-cn',
      'zh-Hans-TW': 'zh-cn',
      zh_hans_cn: 'zh-cn',
    },
    ...{
      'zh-Hant': 'zh-tw',
      'zh-HK': 'zh-tw',
      'zh-MO': 'zh-tw',
      zh_tw: 'zh-tw',
      'zh-Hant-CN': 'zh-tw',
      'zh-hant-hk': 'zh-tw',
    },
    ...{
      iw: 'he',
      'iw-IL': 'he',
      in: 'id',
      in_ID: 'id',
      tl: 'fil',
      'fil-PH': 'fil',
      nb: 'no',
      'nb-NO': 'no',
      no: 'no',
      nn: 'no',
    },
  };
  for (const [form, locale] of Object.entries(forms)) t.equal(canonicalLocale(form), locale, form);
});

t.test('unsupported or invalid locales are unknown', async (t) => {
  const texts = [
    ...[
      '',
      ' ',
      '-',
      '_',
      'xx',
      'xx-YY',
      'tlh',
      'klingon',
      'english',
      'en-',
      '-en',
      'en-USA',
      'en us',
      'en;q=1',
      'en,de',
      'en.UTF-8',
      'C',
    ],
    ...[
      'constructor',
      '__proto__',
      'toString',
      'null',
      'undefined',
      '日本語',
      '../en',
      'e\u0000n',
      '\ud800',
      'und',
      'und-US',
      'root',
    ],
    ...['x-en', 'i-klingon', `en-x-${'a'.repeat(500)}`, 'en-'.repeat(1000), 'a'.repeat(100_000)],
  ];
  for (const text of texts) t.equal(canonicalLocale(text), null, JSON.stringify(text.slice(0, 40)));
});

t.test('no spelling of the shared table throws', { skip: corpusMissing }, async (t) => {
  const { cases } = corpusTable<{ cases: { in: string; language: string | null }[] }>(
    'locale/locale-aliases.json',
  );
  for (const { in: text, language } of cases) {
    const locale = canonicalLocale(text);
    t.ok(locale === null || widgetLocales.includes(locale), text);
    if (language === null) t.equal(locale, null, text);
  }
});
