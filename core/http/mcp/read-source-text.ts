import { existing } from '../../errors/api-error.js';
import { nextSlice } from '../../fairness/time-slices.js';
import type { AgentReads } from '../../ports/store/agent-reads.js';
import type { ToolRequest } from './tool.js';

/** Bytes of memory per byte of a text: the text and the response. */
const READING_COST = 2;

/**
 * Reads a part of a source's text. `offset` and `limit` count code points. `nextOffset` is null at the end of the text.
 * Throws RESOURCE_DOCUMENT_NOT_FOUND, and 503 if the workspace holds too much memory.
 */
export async function readSourceText(
  reads: Pick<AgentReads, 'contentBytes' | 'content'>,
  { reserve }: Pick<ToolRequest, 'reserve'>,
  part: { agentId: string; documentId: string; offset: number; limit: number },
): Promise<{ text: string; nextOffset: number | null }> {
  const { agentId, documentId, offset, limit } = part;
  const bytes = await reads.contentBytes(agentId, documentId);
  reserve(existing(bytes, 'RESOURCE_DOCUMENT_NOT_FOUND') * READING_COST);
  const slices = existing(await reads.content(agentId, documentId), 'RESOURCE_DOCUMENT_NOT_FOUND');
  let text = '';
  let skipped = 0;
  let taken = 0;
  for (const slice of slices) {
    const start = passOver(slice, 0, offset - skipped);
    const end = passOver(slice, start.at, limit - taken);
    skipped += start.passed;
    taken += end.passed;
    text += slice.slice(start.at, end.at);
    if (end.at < slice.length) return { text, nextOffset: offset + limit };
    await nextSlice();
  }
  return { text, nextOffset: null };
}

/** Passes over at most `count` code points, without an array of them, which would take many times their memory. */
function passOver(text: string, from: number, count: number): { at: number; passed: number } {
  let at = from;
  let passed = 0;
  for (; passed < count && at < text.length; passed += 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return { at, passed };
}
