import t from 'tap';
import { corpusSamples, type Sample, unlikeReadings } from '../../support/corpus/repeated-readings.js';
import { sampleFiles } from '../../support/sample-files.js';
import { pageKinds } from '../extract/page/page-kinds.js';

/** The whole corpus takes minutes on a small machine: `npm run bench:reading` reads it. */
const EVERY = 4;

t.test('the same bytes give the same result, regardless of what the thread has read before', async (t) => {
  const files = sampleFiles((kind) => `The ${kind} says: naïve façade, ﬁnal ａｎｄ ünder 1,5 %.`).map(
    ({ fileName, bytes }): Sample => ({ name: fileName, kind: 'file', bytes }),
  );
  const pages = pageKinds.map(({ name, html }): Sample => ({ name, kind: 'page', bytes: Buffer.from(html) }));
  const corpus = corpusSamples().filter((_, n) => n % EVERY === 0);
  t.same(await unlikeReadings([...files, ...pages, ...corpus]), []);
});
