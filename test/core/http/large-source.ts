import { v7 as uuidv7 } from 'uuid';
import type { Store } from '../../../core/ports/store/store.port.js';

const MIB = 1024 * 1024;

/** Adds a source with the longest possible text of a file; returns the path of its content. */
export async function largeSource(store: Store, agentId: string): Promise<string> {
  const bytes = 8 * MIB;
  const id = uuidv7();
  await store.turns.run(agentId, null, async (turn) => {
    const row = {
      ...{ id, agentId, workspaceId: turn.agent.workspaceId, sourceType: 'text_snippet' as const },
      ...{ title: 'large', bytes, url: null, storagePath: null, contentHash: 'x' },
      ...{ metadata: { bytes, chunks: 7000 }, createdAt: 1, updatedAt: 1, lastCrawledAt: null },
    };
    const text = 'words '.repeat(bytes / 6);
    await turn.documents.insert(row, { text, chunks: [], segment: new Uint8Array() });
  });
  return `/agents/${agentId}/sources/${id}/content`;
}
