import { timeSlices } from '../../../core/fairness/time-slices.js';
import type { Connection } from '../database/connection.js';

/** Bytes per statement. Reading and decoding 8 MiB at once takes both drivers more than 50 ms. */
const SLICE = 1024 * 1024;

/**
 * Reads a document's text in slices, to yield to the event loop. Restarts if the text is replaced. Null
 * if the document is gone.
 */
export async function readContent(
  { read, dialect }: Pick<Connection, 'read' | 'dialect'>,
  agentId: string,
  documentId: string,
): Promise<string[] | null> {
  const pause = timeSlices();
  const bytes = `CAST(c.text AS ${dialect === 'sqlite' ? 'BLOB' : 'BINARY'})`;
  const statement = `SELECT d.content_hash, SUBSTR(${bytes}, ?, ${SLICE}) AS slice
    FROM document_contents c JOIN documents d ON d.id = c.document_id
    WHERE c.document_id = ? AND c.agent_id = ?`;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const slices: string[] = [];
  let hash: unknown;
  for (let from = 0; ; ) {
    const [row] = await read(statement, [from + 1, documentId, agentId]);
    if (!row) return null;
    if (from > 0 && row.content_hash !== hash) return readContent({ read, dialect }, agentId, documentId);
    hash = row.content_hash;
    const bytes = row.slice as Uint8Array;
    from += bytes.length;
    const isLast = bytes.length < SLICE;
    slices.push(decoder.decode(bytes, { stream: !isLast }));
    if (isLast) return slices;
    await pause();
  }
}
