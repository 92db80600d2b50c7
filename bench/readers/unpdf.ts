import { extractText } from 'unpdf';
import type { Content } from './reader.js';

export async function read(bytes: Uint8Array): Promise<Content> {
  const { text } = await extractText(bytes, { mergePages: true });
  return { text };
}
