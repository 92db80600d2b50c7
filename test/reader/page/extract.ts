import type { Test } from 'tap';
import type { Extraction } from '../../../core/tasks/wire.js';
import type { ExtractResult } from '../../../workers/threads/extract-threads.js';
import { extractPage } from '../../../workers/threads/page.thread.js';

export function extractHtml(
  html: string | Uint8Array,
  contentType: string | null = 'text/html',
  url = 'https://site.example/page',
): ExtractResult {
  const bytes = typeof html === 'string' ? new TextEncoder().encode(html) : html;
  return extractPage({ bytes, contentType, url });
}

/** Returns the extraction of a page with content. */
export function contentOf(t: Test, result: ExtractResult): Extraction {
  if (result.ok) return result.extraction;
  t.fail(`refused: ${result.failure.code}`);
  return { title: null, text: '', chunks: [], metadata: {} };
}

export const failureOf = (result: ExtractResult): string | null => (result.ok ? null : result.failure.code);
