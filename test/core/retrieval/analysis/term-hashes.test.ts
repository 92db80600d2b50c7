import { analyse } from '../../../../core/retrieval/analysis/analyse.js';
import { termHash } from '../../../../core/retrieval/analysis/term-hash.js';
import { addHashes, copyHashes, hashesOf } from '../../../../core/retrieval/analysis/term-hashes.js';
import t from '../../../support/t.js';
import { randomNumbers, sampleDocuments } from '../index/sample-documents.js';

const found = ({ table, size }: ReturnType<typeof hashesOf>): number[] => [...table.subarray(0, size)];
const wanted = (text: string): number[] => analyse(text).map((term) => termHash(term));

t.test('the hashes of a text are those of its terms', async (t) => {
  const texts = [
    '',
    ' .,;\n',
    'A',
    'Interpretation of RFC2616bis, part-7!',
    'sixsix seventh snake_case x\u0000y \u007f',
    ...[5, 6, 7, 63, 64, 65, 100].flatMap((length) => ['w', 'W', '7'].map((unit) => unit.repeat(length))),
    `${'w'.repeat(70)}1`,
    `1${'w'.repeat(70)}`,
    'naïve café, 東京都 2019年に',
    'a lone \ud800 surrogate',
  ];
  for (const text of texts) t.same(found(hashesOf(text)), wanted(text), JSON.stringify(text));
  for (const { text } of sampleDocuments(20)) t.same(found(hashesOf(text)), wanted(text));
  const random = randomNumbers(7);
  // The high bits of these numbers are the random ones.
  const unit = () => random(2 ** 31) >>> 24;
  for (let n = 0; n < 200; n += 1) {
    const units = Array.from({ length: random(400) }, unit);
    const text = String.fromCharCode(...units);
    t.same(found(hashesOf(text)), wanted(text), JSON.stringify(text));
  }
});

t.test('appends hashes to any number of existing ones', async (t) => {
  const [above, long] = ['Opening hours', 'We are open é. '.repeat(2_000)];
  const hashes = hashesOf('what was there before');
  copyHashes(hashes, hashesOf(above));
  addHashes(hashes, long);
  addHashes(hashes, 'w '.repeat(20_000));
  t.same(found(hashes), [...wanted(above), ...wanted(long), ...wanted('w '.repeat(20_000))]);
});
