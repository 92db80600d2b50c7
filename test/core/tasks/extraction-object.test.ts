import { decodeExtraction, encodeExtraction } from '../../../core/tasks/extraction-object.js';
import t from '../../support/t.js';

t.test('an extraction survives a round trip through storage without blocking the event loop', async (t) => {
  const chunks = Array.from({ length: 50_000 }, (_, n) => ({ start: n, end: n + 1, headings: ['Ähnlich'] }));
  const extraction = { title: null, chunks, metadata: {}, text: 'Zeile\n'.repeat(1_400_000) };
  let iterations = 0;
  const count = (): void => {
    iterations += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const decoded = await decodeExtraction(encodeExtraction(extraction));
  clearImmediate(counting);
  t.ok(decoded?.text === extraction.text);
  t.same(decoded?.chunks.at(-1), chunks.at(-1));
  t.ok(iterations > 0);
});

t.test('invalid content is null', async (t) => {
  for (const bytes of ['', '{', '{}\ntext', '[]\n', '{"title":null,"chunks":[{}],"metadata":{}}\ntext'])
    t.equal(await decodeExtraction(Buffer.from(bytes)), null, bytes);
});
