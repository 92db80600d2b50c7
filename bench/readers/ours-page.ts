import { extractPage } from '../../workers/threads/page.thread.js';
import type { Content } from './reader.js';

export function read(bytes: Uint8Array, name: string): Content {
  const result = extractPage({ bytes, contentType: 'text/html', url: `https://site.example/${name}` });
  if (!result.ok) throw result.failure;
  return { text: result.extraction.text };
}
