import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { ExtractResult } from '../../../../workers/threads/extract-threads.js';
import { extractFile } from '../../../../workers/threads/file.thread.js';

const corpus = join(process.cwd(), '..', 'shared', 'corpus');
const skip = existsSync(corpus) ? false : 'the corpus folder is not here';

interface Expectation {
  file: string;
  expect: 'text' | 'no_text' | 'error' | 'error_or_empty' | 'text_or_error';
  must_contain: string[];
  should_contain?: string[];
  must_not_contain?: string[];
  ordered?: boolean;
  pages?: number;
  min_chars_in_ranges?: { ranges: string[]; count: number };
}

const fold = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').trim();
const codesOf: Record<string, RegExp> = {
  text: /^ok$/,
  no_text: /^EMPTY_TEXT$/,
  error: /^FILE_(EMPTY|ENCRYPTED|UNPARSABLE|TYPE_MISMATCH)$/,
  error_or_empty: /^(FILE_(EMPTY|ENCRYPTED|UNPARSABLE|TYPE_MISMATCH)|EMPTY_TEXT)$/,
  text_or_error: /^(ok|FILE_(ENCRYPTED|UNPARSABLE|TYPE_MISMATCH))$/,
};

function problemsOf(result: ExtractResult, expected: Expectation): string[] {
  const code = result.ok ? 'ok' : result.failure.code;
  if (!codesOf[expected.expect]?.test(code)) return [`${expected.expect} expected, got ${code}`];
  if (!result.ok) return [];
  const { text, metadata, chunks } = result.extraction;
  const folded = fold(text);
  const problems: string[] = [];
  let at = 0;
  for (const wanted of [...expected.must_contain, ...(expected.should_contain ?? [])]) {
    const found = folded.indexOf(fold(wanted), expected.ordered ? at : 0);
    if (found < 0) problems.push(`lacks ${wanted}`);
    at = Math.max(found, 0);
  }
  for (const unwanted of expected.must_not_contain ?? []) {
    if (text.includes(unwanted) || (fold(unwanted) !== '' && folded.includes(fold(unwanted))))
      problems.push(`has ${unwanted}`);
  }
  if (expected.pages !== undefined && metadata.pages !== expected.pages)
    problems.push(`${metadata.pages} pages`);
  if (expected.min_chars_in_ranges && !hasChars(text, expected.min_chars_in_ranges))
    problems.push('too few letters of its script');
  if (chunks.length === 0 || metadata.chunks !== chunks.length) problems.push('no chunks');
  if (!text.isWellFormed() || text !== text.normalize('NFC') || text.includes('\0'))
    problems.push('unclean text');
  return problems;
}

function hasChars(text: string, { ranges, count }: { ranges: string[]; count: number }): boolean {
  const bounds = ranges.map((range) => range.split('-').map((hex) => Number.parseInt(hex, 16)));
  const inRange = (code: number) => bounds.some(([from = 0, to = 0]) => code >= from && code <= to);
  return [...text].filter((char) => inRange(char.codePointAt(0) ?? 0)).length >= count;
}

for (const folder of ['pdf', 'docx', 'xlsx', 'pptx', 'text']) {
  t.test(
    `${folder}: every file of the corpus meets its expectation, deterministically`,
    { skip },
    async (t) => {
      const expectations: Expectation[] = JSON.parse(
        readFileSync(join(corpus, folder, 'expected.json'), 'utf8'),
      );
      for (const expected of expectations) {
        const read = () => new Uint8Array(readFileSync(join(corpus, folder, expected.file)));
        const result = await extractFile({ bytes: read(), fileName: expected.file });
        t.same(problemsOf(result, expected), [], expected.file);
        t.same(
          await extractFile({ bytes: read(), fileName: expected.file }),
          result,
          `${expected.file}, again`,
        );
      }
    },
  );
}
