import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Answer, Content, Question, Reader } from './reader.js';

/** The process of one reader. Usage: fork serve.ts <module of the reader>, then send questions. */
const { read } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as Reader;

const refusalOf = (error: unknown) => {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as Partial<
    Record<'code' | 'message', unknown>
  >;
  return { code: typeof code === 'string' ? code : null, message: String(message ?? error).slice(0, 500) };
};

async function answer({ id, path: file }: Question): Promise<void> {
  const bytes = new Uint8Array(readFileSync(file));
  const startedAt = performance.now();
  const known = () => ({
    id,
    ms: performance.now() - startedAt,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
  });
  let message: Answer;
  try {
    const content: Content = await read(bytes, path.basename(file));
    message = { ...known(), content };
  } catch (error) {
    message = { ...known(), refusal: refusalOf(error) };
  }
  process.send?.(message);
}

process.on('message', (question: Question) => void answer(question));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
