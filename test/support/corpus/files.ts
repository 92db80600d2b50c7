import { existsSync, readFileSync } from 'node:fs';
import { inCorpus } from './folder.js';

/** The expectation for a file in `expected.json` of a corpus folder. */
export interface Expectation {
  file: string;
  expect: 'text' | 'no_text' | 'error' | 'error_or_empty' | 'text_or_error';
  must_contain?: string[];
  should_contain?: string[];
  must_not_contain?: string[];
  ordered?: boolean;
  /** Page count of a PDF. */
  pages?: number;
  min_chars_in_ranges?: { ranges: string[]; count: number };
}

export interface CorpusFile extends Expectation {
  folder: string;
  path: string;
}

export const folders = ['pdf', 'docx', 'xlsx', 'pptx', 'text'] as const;
export type Folder = (typeof folders)[number];

export const filesAreHere = (): boolean => existsSync(inCorpus('pdf', 'expected.json'));

export function readFolder(folder: Folder): CorpusFile[] {
  const list: Expectation[] = JSON.parse(readFileSync(inCorpus(folder, 'expected.json'), 'utf8'));
  return list.map((one) => ({ ...one, folder, path: inCorpus(folder, one.file) }));
}
