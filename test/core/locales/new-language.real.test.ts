import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { widgetLocales } from '../../../core/locales/locale-files.js';
import { projectFolder } from '../../support/project-folder.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';

/** Prints what the service says and knows in the languages of the folder. */
const script = `
  import { readdirSync } from 'node:fs';
  import { asksForNumber } from './adapters/extractive/candidates.js';
  import { smallTalkOf } from './core/chat/small-talk.js';
  import { builtInMessages } from './core/locales/built-in-messages.js';
  import { canonicalLocale } from './core/locales/canonical-locale.js';
  import { widgetLocales } from './core/locales/locale-files.js';
  import { questionWords } from './core/retrieval/words/question-words.js';
  import { similarTo } from './core/retrieval/words/similar-words.js';
  import { asksForTime } from './core/retrieval/words/time-questions.js';
  import { formsOf } from './core/retrieval/words/word-forms.js';
  console.log(JSON.stringify({
    locales: widgetLocales,
    canonical: canonicalLocale('EO_001'),
    messages: builtInMessages('eo'),
    smallTalk: smallTalkOf('Dankegon!', 'en'),
    topics: questionWords('kie oni povas parki').words.filter(({ isCommon }) => !isCommon).map(({ word }) => word),
    forms: formsOf('hundo', ['eo']),
    similar: similarTo('aŭto', ['eo']),
    asks: [asksForTime('Kioma horo?'), asksForNumber('Kiom da hundoj?')],
  }));`;

/** A language that the widget does not have. */
const esperanto = {
  widget: { openChat: 'Malfermi la babilejon' },
  messages: { nothingFound: 'Mi trovis nenion pri tio.' },
  smallTalk: { greeting: 'saluton', thanks: 'dankon, dankegon', goodbye: 'ĝis revido' },
  words: {
    common: 'kie kiu kio oni povas estas la de',
    endings: ['o oj on ojn'],
    synonyms: ['aŭto veturilo'],
    questions: { time: 'kioma horo', number: 'kiom da' },
  },
};

t.test('a new language is one file', async (t) => {
  const folder = tempFolder(t);
  const at = (path: string) => join(folder, path);
  for (const path of [
    'core',
    'adapters/extractive',
    'reader',
    'web',
    'locales',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(projectFolder, path), at(path), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules'), at('node_modules'));
  writeFileSync(at('locales/eo.json'), JSON.stringify(esperanto));
  writeFileSync(at('script.ts'), script);
  const run = (file: string) =>
    execFileSync(process.execPath, ['--import=tsx', file], { cwd: folder, encoding: 'utf8' });

  const known = JSON.parse(run('script.ts'));
  t.same(known.locales, [...widgetLocales, 'eo'].sort());
  t.match(known, {
    canonical: 'eo',
    messages: { ...esperanto.messages, greeting: 'Hello! How can I help you?' },
    smallTalk: 'thanks',
    topics: ['parki'],
    asks: [true, true],
  });
  t.ok(known.forms.includes('hundoj'));
  t.ok(known.similar.includes('veturi'));

  run('web/widget/build.ts');
  const assets = at('dist/widget/assets');
  const [chunk = ''] = readdirSync(assets).filter((name) => name.startsWith('eo-'));
  const built = readFileSync(join(assets, chunk), 'utf8');
  t.match(built, esperanto.widget.openChat);
  t.match(built, 'Close chat', 'English replaces missing texts');
  t.notMatch(built, 'dankegon', 'nothing else than the texts of the widget');
});
