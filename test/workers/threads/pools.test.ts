import { deflateSync } from 'node:zlib';
import pino from 'pino';
import t from 'tap';
import { createPools } from '../../../workers/threads/pools.js';
import { someone } from '../../support/someone.js';
import { encryptedPdf } from '../extract/file/encrypted-pdf.js';
import { docx, packedZeros, paragraph, pdfLines, textOf } from '../extract/file/fixtures.js';

const never = new AbortController().signal;

t.test('a bomb that hides in an encrypted PDF costs its own task, and the next file is read', async (t) => {
  const pools = createPools(
    { threads: 1, threadMemoryMb: 64, timeoutMs: 300_000 },
    pino({ level: 'silent' }),
  );
  t.teardown(() => pools.close());
  const threads = pools.of(someone);
  const harmless = encryptedPdf(deflateSync(pdfLines(72, 700, ['Hello'])));
  t.equal(textOf(await threads.file({ bytes: harmless, fileName: 'a.pdf' }, never)), 'Hello');
  const bomb = encryptedPdf(Buffer.concat([Buffer.from([0x78, 0x9c]), packedZeros(4096)]));
  const outcome = await threads
    .file({ bytes: bomb, fileName: 'a.pdf' }, never)
    .catch((error: unknown) => error);
  t.match(outcome, { failure: { code: 'PARSE_MEMORY', verdict: 'give-up' } });
  const next = await threads.file({ bytes: docx(paragraph('Next')), fileName: 'a.docx' }, never);
  t.equal(textOf(next), 'Next');
});
