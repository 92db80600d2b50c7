import { namesIn } from '../../../../core/retrieval/words/names.js';
import { isSpokenIn } from '../../../../core/retrieval/words/spoken-in.js';
import t from '../../../support/t.js';

t.test('the language of a question is told by its common words, or by its letters', async (t) => {
  for (const [question, languages, isSpoken] of [
    ['How long is the guarantee?', ['en'], true],
    ['Wie lange gilt die Garantie?', ['en'], false],
    ['Wie lange gilt die Garantie?', ['en', 'de'], true],
    ['¿Cuánto cuesta el envío?', ['en'], false],
    ['parking fees', ['en'], true],
    ['保証期間', ['en'], false],
    ['保証期間', ['ja'], true],
    ['гарантия', ['en', 'ru'], true],
  ] as const)
    t.equal(isSpokenIn(question, languages), isSpoken, `${question} ${languages}`);
});

t.test('names are words with a capital letter within a sentence', async (t) => {
  t.equal(namesIn('Does the shop in Porto sell tea?').length, 1);
  t.equal(namesIn('How tall does the Crimson Magnolia get?').length, 2);
  t.same(namesIn('Can I pay by card?'), []);
  t.same(namesIn('Wie hoch wird der Ahorn?'), [], 'German writes all nouns like this');
});
