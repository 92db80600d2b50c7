import { chunkText } from '../../../../core/knowledge/text/chunk-text.js';
import { encodeBody, isBody, readLayout, withTitle } from '../../../../core/retrieval/index/segment.js';
import t from '../../../support/t.js';
import { randomNumbers, sampleDocuments } from './sample-documents.js';

const text =
  '# Opening hours\n\nWe are open from nine to five.\n\n# Returns\n\nWithin thirty days, open or not.';

t.test('the same text makes the same segment, byte for byte', async (t) => {
  const body = encodeBody(text, chunkText(text));
  t.same(encodeBody(text, chunkText(text)), body);
  t.ok(isBody(body, chunkText(text).length));
  t.notOk(isBody(body, chunkText(text).length + 1));
});

t.test('the title is put before the body', async (t) => {
  const chunks = chunkText(text);
  const layout = readLayout(withTitle('Our shop, our rules', encodeBody(text, chunks)));
  t.equal(layout.titleWords, 4);
  t.equal(layout.titleTerms, 3);
  t.equal(layout.chunks, chunks.length);
});

t.test('rejects a damaged body', async (t) => {
  const random = randomNumbers(3);
  for (const { text } of sampleDocuments(20)) {
    const chunks = chunkText(text).length;
    const body = encodeBody(text, chunkText(text));
    t.ok(isBody(body, chunks));
    t.notOk(isBody(body.subarray(0, body.length - 1), chunks), 'cut off');
    t.notOk(isBody(Uint8Array.from([...body, 0]), chunks), 'with something behind');
    for (let n = 0; n < 50; n++) {
      const noise = Uint8Array.from({ length: random(200) }, () => random(256));
      t.notOk(isBody(noise, 1 + random(4)), 'noise');
    }
  }
  t.notOk(isBody(new Uint8Array(), 0));
});

t.test('a document without chunks has a segment too', async (t) => {
  t.ok(isBody(encodeBody('', []), 0));
});
