import { analyse } from '../../../../core/retrieval/analysis/analyse.js';
import { termHash } from '../../../../core/retrieval/analysis/term-hash.js';
import t from '../../../support/t.js';

t.test('truncates words of letters to six, and keeps words with a digit', async (t) => {
  t.same(analyse('Interpretation of RFC2616bis, part-7!'), ['interp', 'of', 'rfc2616bis', 'part', '7']);
  t.same(analyse(''), []);
  t.same(analyse(' .,;\n'), []);
  t.same(analyse(`x${'9'.repeat(100)}`), [`x${'9'.repeat(63)}`]);
});

t.test('normalises equivalent spellings to one term', async (t) => {
  const same: [string, string][] = [
    ['Straße', 'STRASSE'],
    ['café', 'CAFÉ'],
    ['naïve', 'naive'],
    ['ｆｕｌｌ１２', 'full12'],
    ['ΟΔΟΣ', 'οδός'],
    ['Ёлка', 'елка'],
    ['İSTANBUL', 'istanbul'],
    ['ısı', 'ISI'],
    ['Đường', 'duong'],
    ['co\u00adoperation', 'cooperation'],
    ['٢٠٢٤', '2024'],
    ['२०२४', '2024'],
    ['می\u200cخواهم', 'میخواهم'],
  ];
  for (const [one, other] of same) t.same(analyse(one), analyse(other), `${one} is ${other}`);
});

t.test('scripts without spaces become n-grams', async (t) => {
  t.same(analyse('東京都'), ['東', '京', '都', '東京', '京都']);
  t.same(analyse('京'), ['京']);
  t.same(analyse('データ'), ['デ', 'ー', 'タ', 'デー', 'ータ']);
  t.same(analyse('2019年に'), ['2019', '年', 'に', '年に']);
  t.same(analyse('𠮷野家'), ['𠮷', '野', '家', '𠮷野', '野家'], 'beyond the first plane');
  t.same(analyse('대한민국 서울'), ['대한', '한민', '민국', '서울']);
  t.same(analyse('물'), ['물']);
  t.same(analyse('ภาษาไทย'), ['ภาษ', 'าษา', 'ษาไ', 'าไท', 'ไทย']);
  t.same(analyse('มา'), ['มา']);
});

t.test('Arabic loses article, conjunction and suffixes', async (t) => {
  t.same(analyse('والمدرسة المدرسة مدرسة'), ['مدرس', 'مدرس', 'مدرس']);
  t.same(analyse('الْكِتَابُ'), ['كتاب']);
});

t.test('Indic vowel signs belong to their words', async (t) => {
  t.same(analyse('हिन्दी भाषा'), ['हिन्दी', 'भाषा']);
});

t.test('hashes are distributed over all 32 bits', async (t) => {
  const hashes = Array.from({ length: 50_000 }, (_, n) => termHash(`term${n}`));
  t.ok(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash < 2 ** 32));
  t.ok(new Set(hashes).size >= 49_998);
  const firstHalf = hashes.filter((hash) => hash < 2 ** 31).length;
  t.ok(firstHalf > 24_000 && firstHalf < 26_000, `${firstHalf} in the lower half`);
});
