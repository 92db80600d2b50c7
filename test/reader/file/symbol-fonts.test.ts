import { isSymbolFont, shownSymbols, symbolOf } from '../../../reader/symbol-fonts.js';
import t from '../../support/t.js';

t.test('codes of symbol fonts become the characters that they show', async (t) => {
  t.equal(shownSymbols('ü û n', 'ABCDEF+Wingdings-Regular'), '✓ ✗ ■');
  t.equal(shownSymbols('\uf0fc\uf0a8', 'Wingdings'), '✓☐');
  t.equal(shownSymbols('POR', 'Wingdings 2'), '✓✗☑');
  t.equal(shownSymbols('}', 'Wingdings 3'), '▶');
  t.equal(shownSymbols('a', 'Webdings'), '✔');
  t.equal(shownSymbols('48nHl', 'ZapfDingbats'), '✔✘■★●');
  t.equal(shownSymbols('48', 'ABCDEF+D050000L'), '✔✘');
  t.equal(shownSymbols('ab\xb3', 'SymbolMT'), 'αβ≥');
  t.equal(symbolOf(0xd6, 'ITCZapfDingbats'), '↔');
});

t.test('letters of other fonts stay letters', async (t) => {
  t.equal(shownSymbols('für', 'Arial'), 'für');
  t.notOk(isSymbolFont('Symbola Sans'));
  t.equal(shownSymbols('\uf0b7 one \uf0fc', 'Arial'), '• one ✓');
});
