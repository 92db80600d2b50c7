import t from 'tap';
import { afterSubtree } from '../../../../workers/extract/page/page-tree.js';
import { parsePage } from '../../../../workers/extract/page/parse-page.js';
import { subtractSubtrees, weigh } from '../../../../workers/extract/page/text-weights.js';
import { paragraphs, sentence } from './sentences.js';

const page = parsePage(`<body>
  <nav><a href="/">Home</a> <a href="/news">News</a></nav>
  <main>
    <h1>The harbour</h1>
    <div>${sentence(1)} <span class="share"><a href="/s">Share</a> this <nav><a href="/t">Tell</a></nav></span> ${sentence(2)}</div>
    ${paragraphs(3, 2)}
    <ul><li><a href="/1">${sentence(40)}</a></li><li>港口的船今天早上回来了。</li></ul>
    <p>${sentence(50)} <a href="/n">more <b>of it</b></a></p>
  </main>
  <footer><p>${sentence(60)}</p></footer>
</body>`);

const none = (): Uint8Array => new Uint8Array(page.tag.length);
const dropping = (rows: readonly number[]): Uint8Array =>
  none().map((_, row) => (rows.includes(row) ? 1 : 0));

/** Disjoint rows, chosen by the bits of a number. */
function rowsOf(choice: number): number[] {
  const rows: number[] = [];
  let bits = choice;
  for (let row = 2; row < page.tag.length; row++) {
    bits = (bits * 1_103_515_245 + 12_345) % 2_147_483_648;
    if (page.tag[row] === '' || bits % 5 !== 0) continue;
    rows.push(row);
    row = afterSubtree(page, row) - 1;
  }
  return rows;
}

t.test('subtracting subtrees from weights equals weighing the rest', async (t) => {
  for (let choice = 1; choice <= 60; choice++) {
    const rows = rowsOf(choice);
    const weights = weigh(page, none());
    subtractSubtrees(page, weights, rows);
    t.same(weights, weigh(page, dropping(rows)), `without rows ${rows.join(', ')}`);
  }
});

t.test('dropping parts one by one and together gives the same weights', async (t) => {
  const span = page.attributes.findIndex((attributes) => attributes.class === 'share');
  const inner = page.tag.indexOf('nav', span);
  const weights = weigh(page, none());
  subtractSubtrees(page, weights, [inner]);
  subtractSubtrees(page, weights, [span]);
  t.same(weights, weigh(page, dropping([inner, span])));
});
