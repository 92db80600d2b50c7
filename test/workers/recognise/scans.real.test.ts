import { silentLog } from '../../../core/ports/log.port.js';
import { TaskFailure } from '../../../core/tasks/failures.js';
import type { Outcome } from '../../../core/tasks/wire.js';
import { parseFile } from '../../../workers/parse/parse-file.task.js';
import { recognisePages } from '../../../workers/recognise/recognise-pages.task.js';
import { readRecognised } from '../../../workers/recognise/recognised-file.js';
import { createRecognition, type OcrSettings } from '../../../workers/recognise/recognition.js';
import { createPools } from '../../../workers/threads/pools.js';
import { pdfLines } from '../../reader/file/fixtures.js';
import { jbig2Page, libraryPage, rentalTermsPage, scannedPdf } from '../../support/scanned-pdf.js';
import { someone } from '../../support/someone.js';
import t from '../../support/t.js';
import { crawledSite, DOCS, ending } from '../crawl/local-site.js';

const pools = createPools({ threads: 2, threadMemoryMb: 512, timeoutMs: 120_000 }, silentLog);
t.teardown(() => pools.close());
const threads = pools.of(someone);
const signal = AbortSignal.timeout(200_000);
const wide = [720, 504] as const;
const upright = [720, 0, 0, 504, 0, 0];

const payloadOf = (bytes: Uint8Array) => ({
  storagePath: 'a/b',
  fileName: 'a.pdf',
  bytes: bytes.length,
  etag: '"1"',
});
const storageWith = (bytes: Uint8Array) => ({
  open: () => Promise.resolve(new Response(bytes as Uint8Array<ArrayBuffer>).body as never),
});

/** Reads a file like the tasks of a job: first its own text, then what must be recognised. */
async function read(
  bytes: Uint8Array,
  { language = null, ...ocr }: Partial<OcrSettings> & { language?: string | null } = {},
): Promise<{ outcome: Outcome; reports: object[] }> {
  const recognition = createRecognition({ languages: ['eng'], maxPages: 200, ...ocr });
  const storage = storageWith(bytes);
  const payload = payloadOf(bytes);
  const reports: object[] = [];
  const first = await parseFile(payload, { storage, threads, recognition }, signal);
  if (first.kind !== 'scanned') return { outcome: first, reports };
  const parts = {
    storage,
    threads,
    recognition,
    budgetMs: 200_000,
    report: (one: object) => reports.push(one),
    log: silentLog,
  };
  const outcome = await recognisePages({ ...payload, pages: first.pages, language }, parts, signal);
  return { outcome, reports };
}

async function extracted(...args: Parameters<typeof read>) {
  const { outcome } = await read(...args);
  if (outcome.kind !== 'extracted') throw new Error(`the outcome is ${outcome.kind}`);
  return outcome.extraction;
}

t.test('the text of a scan in strips is recognised, with its heading and its table', async (t) => {
  const { outcome, reports } = await read(scannedPdf([{ size: wide, pictures: rentalTermsPage(720, 504) }]));
  if (outcome.kind !== 'extracted') throw new Error(outcome.kind);
  const { text, metadata } = outcome.extraction;
  t.match(text, /^#+ Rental terms for bicycles$/m);
  t.match(text, 'The deposit is 150.00 € for each bicycle');
  t.match(text, '| Mountain | 18.50 € | 29.00 € |');
  t.match(metadata, { recognisedPages: '1', pages: 1, truncated: false });
  t.same(reports, [
    { done: 0, of: 1 },
    { done: 1, of: 1 },
  ]);
});

t.test('the text of a picture in JBIG2 is recognised', async (t) => {
  const { text } = await extracted(
    scannedPdf([{ size: [720, 377], pictures: [jbig2Page([720, 0, 0, 377, 0, 0])] }]),
  );
  t.match(text, 'The deposit is 150.00 € for each bicycle');
});

t.test('a photographed page is read in the language of its agent, in any turn', async (t) => {
  const turned = [0, 720, -504, 0, 504, 0];
  const pages = [
    { size: wide, pictures: [libraryPage(upright)] },
    { size: [504, 720] as const, pictures: [libraryPage(turned)] },
    { size: wide, pictures: [libraryPage([-720, 0, 0, -504, 720, 504])] },
    { size: wide, pictures: [libraryPage(upright)], rotate: 270 },
  ];
  const { text, metadata } = await extracted(scannedPdf(pages), { language: 'de' });
  t.equal(metadata.recognisedPages, '1-4');
  for (const line of [
    'Öffnungszeiten der Bücherei',
    'Während der Sommerferien schließt sie um 16 Uhr',
    '18,50 €',
  ])
    t.equal(text.split(line).length - 1, 4, line, { text });
});

t.test('pages with text keep it, and a page with a stamp is recognised', async (t) => {
  const words = pdfLines(
    60,
    400,
    Array.from({ length: 8 }, (_, i) => `The meadow is mown in week ${20 + i}.`),
  );
  const { text, metadata } = await extracted(
    scannedPdf([
      { size: wide, pictures: [libraryPage([60, 0, 0, 42, 20, 20])], text: words },
      { size: wide, pictures: rentalTermsPage(720, 504), text: pdfLines(60, 20, ['Copy 3 of 4']) },
      { size: wide, pictures: [] },
    ]),
  );
  t.match(text, /week 27[\s\S]*Rental terms for bicycles/);
  t.notMatch(text, /Öffnungszeiten|ffnungszeiten/);
  t.match(metadata, { recognisedPages: '2', truncated: false });
  t.notOk('unreadablePages' in metadata);
});

t.test('pages beyond the limit are named', async (t) => {
  const page = { size: wide, pictures: rentalTermsPage(720, 504) };
  const { metadata } = await extracted(scannedPdf([page, page]), { maxPages: 1 });
  t.match(metadata, { recognisedPages: '1', unreadablePages: '2', truncated: true });
});

t.test('a scan at a URL is recognised like an upload', async (t) => {
  const bytes = scannedPdf([{ size: wide, pictures: [libraryPage(upright)] }]);
  const { site, crawler } = await crawledSite(
    t,
    { maxBytes: 1_000_000 },
    {
      threads,
      recognise: (file, abort) =>
        readRecognised(
          file,
          {
            threads,
            recognition: createRecognition({ languages: ['eng'], maxPages: 200 }),
            budgetMs: 200_000,
            report: () => {},
            log: silentLog,
          },
          abort,
        ),
    },
  );
  site.serve('/library.pdf', Buffer.from(bytes), { 'content-type': 'application/pdf' });
  const { outcome } = await ending(crawler, { url: `${DOCS}/library.pdf`, language: 'de' });
  if (outcome?.kind !== 'extracted') throw new Error(outcome?.kind);
  t.match(outcome.extraction.text, 'Öffnungszeiten der Bücherei');
  t.match(outcome.extraction.metadata, { recognisedPages: '1', finalUrl: `${DOCS}/library.pdf` });

  const poor = await crawledSite(t, { maxBytes: 1_000_000 }, { threads, recognise: 'Install the packages.' });
  poor.site.serve('/library.pdf', Buffer.from(bytes), { 'content-type': 'application/pdf' });
  const refused = await ending(poor.crawler, { url: `${DOCS}/library.pdf` });
  t.match(refused.failure, { code: 'EMPTY_TEXT', message: 'Install the packages.' });
});

t.test('a scan is refused with the reason where nothing is recognised', async (t) => {
  const bytes = scannedPdf([{ size: wide, pictures: rentalTermsPage(720, 504) }]);
  const reasons = [
    { languages: [], reason: 'ocr.languages' },
    { languages: ['xxx'], reason: 'install tesseract.js, @tesseract.js-data/xxx' },
  ];
  for (const { languages, reason } of reasons) {
    const error = await read(bytes, { languages }).catch((one: TaskFailure) => one);
    if (!(error instanceof TaskFailure)) throw new Error('the scan was read');
    t.equal(error.failure.code, 'EMPTY_TEXT');
    t.match(error.failure.message, reason);
  }
});
