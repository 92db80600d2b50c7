import { existing } from '../../errors/api-error.js';
import type { AgentReads } from '../../ports/store/agents/agent-reads.js';
import type { ToolRequest } from './tool.js';

/** Bytes of memory per byte of a text, for the text and the response. */
const READING_COST = 2;
/** Maximum length of a code point in UTF-8, in bytes. */
const BYTES_PER_CHARACTER = 4;

/**
 * Reads a part of a source's text. `offset` and `limit` count code points. `nextOffset` is null at the end of the text.
 * Throws RESOURCE_DOCUMENT_NOT_FOUND, and 503 if the workspace holds too much memory.
 */
export async function readSourceText(
  reads: Pick<AgentReads, 'contentBytes' | 'contentPart'>,
  { reserve }: Pick<ToolRequest, 'reserve'>,
  part: { agentId: string; documentId: string; offset: number; limit: number },
): Promise<{ text: string; nextOffset: number | null }> {
  const { agentId, documentId, offset, limit } = part;
  const bytes = existing(await reads.contentBytes(agentId, documentId), 'RESOURCE_DOCUMENT_NOT_FOUND');
  if (offset >= bytes) return { text: '', nextOffset: null };
  reserve(Math.min(bytes, limit * BYTES_PER_CHARACTER) * READING_COST);
  // Read one more character to detect the end of the text.
  const found = await reads.contentPart(agentId, documentId, offset, limit + 1);
  const text = existing(found, 'RESOURCE_DOCUMENT_NOT_FOUND');
  const end = lengthOf(text, limit);
  return { text: text.slice(0, end), nextOffset: end < text.length ? offset + limit : null };
}

/** Returns the length of the first `count` code points in UTF-16 units. An array of them would take far more memory. */
function lengthOf(text: string, count: number): number {
  let at = 0;
  for (let passed = 0; passed < count && at < text.length; passed += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
