import { readFileSync } from 'node:fs';
import type { ExtractResult } from '../../../workers/threads/extract-threads.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import { type CorpusFile, filesAreHere, folders, readFolder } from '../../support/corpus/files.js';
import { extras, problemOf } from '../../support/corpus/judge.js';
import t from '../../support/t.js';
import { codeOf } from './fixtures.js';

const skip = filesAreHere() ? false : 'the corpus folder is not here';

const codesOf: Record<CorpusFile['expect'], RegExp> = {
  text: /^ok$/,
  no_text: /^EMPTY_TEXT$/,
  error: /^FILE_(EMPTY|ENCRYPTED|UNPARSABLE|TYPE_MISMATCH)$/,
  error_or_empty: /^(FILE_(EMPTY|ENCRYPTED|UNPARSABLE|TYPE_MISMATCH)|EMPTY_TEXT)$/,
  text_or_error: /^(ok|FILE_(ENCRYPTED|UNPARSABLE|TYPE_MISMATCH))$/,
};

function problemsOf(result: ExtractResult, expected: CorpusFile): string[] {
  const problem = problemOf(result, expected);
  const problems = problem === null ? [] : [problem];
  if (!codesOf[expected.expect].test(codeOf(result))) problems.push(codeOf(result));
  if (!result.ok) return problems;
  const { text, metadata, chunks } = result.extraction;
  const [found, all] = extras(result, expected);
  if (found < all) problems.push(`${found} of ${all} extra strings`);
  if (expected.pages !== undefined && metadata.pages !== expected.pages)
    problems.push(`${metadata.pages} pages`);
  if (chunks.length === 0 || metadata.chunks !== chunks.length) problems.push('no chunks');
  if (!text.isWellFormed() || text !== text.normalize('NFC') || text.includes('\0'))
    problems.push('unclean text');
  return problems;
}

for (const folder of folders) {
  t.test(
    `${folder}: every file of the corpus meets its expectation, deterministically`,
    { skip },
    async (t) => {
      for (const expected of readFolder(folder)) {
        const read = () =>
          extractFile({ bytes: new Uint8Array(readFileSync(expected.path)), fileName: expected.file });
        const result = await read();
        t.same(problemsOf(result, expected), [], expected.file);
        t.same(await read(), result, `${expected.file}, again`);
      }
    },
  );
}
