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
  const end = offset + limit;
  let text = '';
  let at = 0;
  for (const slice of slices) {
    const characters = [...slice];
    text += characters.slice(Math.max(0, offset - at), Math.max(0, end - at)).join('');
    at += characters.length;
    if (at > end) break;
    await nextSlice();
  }
  return { text, nextOffset: at > end ? end : null };
}
