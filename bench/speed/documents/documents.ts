import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Expectation, filesAreHere, readFolder } from '../../../test/support/corpus/files.js';
import { sampleFiles } from '../../../test/support/sample-files.js';
import { problemOf } from '../../files/judge.js';
import { startReader } from '../../readers/reader-process.js';

const LIMIT_MS = 30_000;

/** Office files and PDFs that every reader of `modules` reads as expected, of the development corpus or else made here. */
export async function documentsReadByAll(modules: string[]): Promise<string[]> {
  const candidates: (Expectation & { path: string })[] = filesAreHere()
    ? (['pdf', 'docx', 'xlsx', 'pptx'] as const).flatMap(readFolder).filter(({ expect }) => expect === 'text')
    : madeDocuments().map((file) => ({ path: file, file, expect: 'text' }));
  const read = new Set(candidates);
  for (const module of modules) {
    const reader = startReader(module, LIMIT_MS);
    for (const candidate of read)
      if (problemOf(await reader.read(candidate.path), candidate) !== null) read.delete(candidate);
    reader.close();
  }
  return [...read].map((candidate) => candidate.path);
}

export const megabytes = (files: string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;

/** In a folder for temporary files, which the system clears. */
function madeDocuments(): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'cadre-bench-documents-'));
  const text = Array.from({ length: 20_000 }, (_, n) => `Word ${n} of a long document.`).join(' ');
  return sampleFiles(() => text)
    .filter(({ fileName }) => !/\.(?:txt|md)$/.test(fileName))
    .map(({ fileName, bytes }) => {
      const file = path.join(folder, fileName);
      writeFileSync(file, bytes);
      return file;
    });
}
