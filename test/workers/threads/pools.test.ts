import { deflateSync } from 'node:zlib';
import pino from 'pino';
import { silentLog } from '../../../core/ports/log.port.js';
import { createPools } from '../../../workers/threads/pools.js';
import { encryptedPdf } from '../../reader/file/encrypted-pdf.js';
import { docx, packedZeros, paragraph, pdfLines, textOf } from '../../reader/file/fixtures.js';
import { someone } from '../../support/someone.js';
import t from '../../support/t.js';

const never = new AbortController().signal;

t.test('a bomb inside an encrypted PDF fails its own task, and the next file is read', async (t) => {
  const pools = createPools(
    { threads: 1, threadMemoryMb: 64, bufferMb: 128, timeoutMs: 300_000 },
    pino({ level: 'silent' }),
  );
  t.teardown(() => pools.close());
  const threads = pools.of(someone);
  const harmless = encryptedPdf(deflateSync(pdfLines(72, 700, ['Hello'])));
  t.equal(textOf(await threads.file({ bytes: harmless, fileName: 'a.pdf' }, never)), 'Hello');
  const bomb = encryptedPdf(Buffer.concat([Buffer.from([0x78, 0x9c]), packedZeros(1024)]));
  const outcome = await threads
    .file({ bytes: bomb, fileName: 'a.pdf' }, never)
    .catch((error: unknown) => error);
  t.match(outcome, { failure: { code: 'PARSE_MEMORY', verdict: 'give-up' } });
  const next = await threads.file({ bytes: docx(paragraph('Next')), fileName: 'a.docx' }, never);
  t.equal(textOf(next), 'Next');
});

t.test('reading a sitemap or a robots.txt does not block the calling thread', async (t) => {
  const pools = createPools({ threads: 1, threadMemoryMb: 512, timeoutMs: 300_000 }, silentLog);
  t.teardown(() => pools.close());
  const threads = pools.of(someone);
  let iterations = 0;
  let counter = setImmediate(function count() {
    iterations += 1;
    counter = setImmediate(count);
  });
  t.teardown(() => clearImmediate(counter));

  const url = '<url><loc>https://docs.acme.com/a</loc></url>';
  const bytes = Buffer.from(`<urlset>${url.repeat(50_000)}</urlset>`);
  const limit = { pages: 10, sitemaps: 10 };
  const listed = await threads.sitemap({ bytes, host: 'docs.acme.com', limit, maxFound: 100_000 }, never);
  t.match(listed, { ok: true, pages: { found: 50_000, urls: ['https://docs.acme.com/a'] } });
  t.ok(iterations > 100, `${iterations} iterations of the event loop beside a sitemap`);

  iterations = 0;
  const rules = Buffer.from(`user-agent: *\n${`disallow: /${'*a'.repeat(100)}b\n`.repeat(2000)}`);
  const input = { bytes: rules, token: 'CadreBot', path: `/${'a'.repeat(2000)}` };
  t.equal(await threads.robots(input, never), true);
  t.ok(iterations > 100, `${iterations} iterations of the event loop beside a robots.txt`);
});
