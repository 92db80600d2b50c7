import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inCorpus } from './folder.js';

/** A page of the development set with its expectation. */
export interface CorpusPage {
  name: string;
  /** Absolute path of the page's file. */
  path: string;
  bytes: Uint8Array;
  expectedHtml: string;
  title: string;
  byline: string | null;
  language: string | null;
  mustContain: string[];
  shouldNotContain: string[];
}

const htmlFolder = inCorpus('html');

export const corpusIsHere = (): boolean => existsSync(htmlFolder);

export function readCorpus(): CorpusPage[] {
  return readdirSync(htmlFolder)
    .filter((name) => existsSync(path.join(htmlFolder, name, 'source.html')))
    .sort()
    .map((name) => {
      const folder = path.join(htmlFolder, name);
      const expected = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8'));
      const source = path.join(folder, 'source.html');
      return {
        name,
        path: source,
        bytes: new Uint8Array(readFileSync(source)),
        expectedHtml: readFileSync(path.join(folder, 'expected.html'), 'utf8'),
        title: expected.title,
        byline: expected.byline,
        language: expected.lang,
        mustContain: expected.must_contain,
        shouldNotContain: expected.should_not_contain,
      };
    });
}

export interface EncodedPage {
  file: string;
  charset: string;
  bytes: Uint8Array;
  mustContain: string[];
  title: string;
}

/** Pages whose charset is only declared in their meta element. */
export function readLegacyEncodings(): EncodedPage[] {
  const folder = path.join(htmlFolder, 'legacy-encodings');
  const entries: { file: string; charset: string; must_contain: string[]; title: string }[] = JSON.parse(
    readFileSync(path.join(folder, 'expected.json'), 'utf8'),
  );
  return entries.map((entry) => ({
    file: entry.file,
    charset: entry.charset,
    bytes: new Uint8Array(readFileSync(path.join(folder, entry.file))),
    mustContain: entry.must_contain,
    title: entry.title,
  }));
}

/** Normalises strings for comparison: NFC, collapsed white space. */
export const folded = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
