import { pageKinds } from '../../reader/page/page-kinds.js';
import { corpusSamples, type Sample, unlikeReadings } from '../../support/corpus/repeated-readings.js';
import { sampleFiles } from '../../support/sample-files.js';
import t from '../../support/t.js';

/* The same bytes give the same text, chunks and metadata, regardless of what the thread has read before. */

t.test('our own files and pages', async (t) => {
  const files = sampleFiles((kind) => `The ${kind} says: naïve façade, ﬁnal ａｎｄ ünder 1,5 %.`).map(
    ({ fileName, bytes }): Sample => ({ name: fileName, kind: 'file', bytes }),
  );
  const pages = pageKinds.map(({ name, html }): Sample => ({ name, kind: 'page', bytes: Buffer.from(html) }));
  t.same(await unlikeReadings([...files, ...pages]), []);
});

/** All of it would take minutes of a small machine: `npm run bench:reading` does it. */
const EVERY = 4;
const corpus = corpusSamples().filter((_, n) => n % EVERY === 0);
const skip = corpus.length > 0 ? false : 'the corpus folder is not here';

t.test('files and pages of the corpus', { skip }, async (t) => {
  t.same(await unlikeReadings(corpus), []);
});
