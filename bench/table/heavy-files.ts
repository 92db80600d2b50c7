import { strToU8, unzipSync, zipSync } from 'fflate';
import { pdf, type SampleFile, sampleFiles } from '../../test/support/sample-files.js';

const sentence =
  'The quick brown fox jumps over the lazy dog and explains the terms of delivery in some detail.';
const PAGES = 300;
const LINES = 45;
/** Of the sheet as it is stored. */
const TABLE_BYTES = 24 * 1024 * 1024;

const book = (n: number): SampleFile => ({
  fileName: `book-${n}.pdf`,
  type: 'application/pdf',
  bytes: pdf(
    Array.from({ length: PAGES }, (_, page) =>
      Array.from({ length: LINES }, (_, line) => `${n}.${page}.${line} ${sentence}`).join('\n'),
    ),
  ),
});

/** Rows of numbers and texts, stored as they are. */
function table(n: number): SampleFile {
  const plain = sampleFiles(() => 'x').find(({ fileName }) => fileName.endsWith('.xlsx'));
  if (!plain) throw new Error('there is no sample workbook');
  const rows: string[] = [];
  for (let row = 1, size = 0; size < TABLE_BYTES; row += 1) {
    const text = `<row r="${row}"><c r="A${row}"><v>${row}</v></c><c r="B${row}" t="inlineStr"><is><t>${sentence} ${n}.${row}</t></is></c><c r="C${row}"><v>${row * 1.5}</v></c></row>`;
    rows.push(text);
    size += text.length;
  }
  const sheet = `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`;
  return {
    ...plain,
    fileName: `table-${n}.xlsx`,
    bytes: zipSync({ ...unzipSync(plain.bytes), 'xl/worksheets/sheet1.xml': [strToU8(sheet), { level: 0 }] }),
  };
}

/** Two of each, some 50 MB together. */
export const heavyFiles = (): SampleFile[] => [table(1), table(2), book(1), book(2)];
