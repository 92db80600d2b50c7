import { v7 as uuidv7 } from 'uuid';
import type { Store } from '../../../core/ports/store.port.js';

const MIB = 1024 * 1024;

/** Gives the agent a source whose text is as long as that of a very large file; returns the path of its content. */
export async function largeSource(store: Store, agentId: string): Promise<string> {
  const id = uuidv7();
  await store.turns.run(agentId, null, async (turn) => {
    const row = {
      ...{ id, agentId, workspaceId: turn.agent.workspaceId, sourceType: 'text_snippet' as const },
      ...{ title: 'large', bytes: 8 * MIB, url: null, storagePath: null, contentHash: 'x' },
      ...{ metadata: { bytes: 8 * MIB, chunks: 7000 }, createdAt: 1, lastCrawledAt: null },
    };
    const text = 'words '.repeat((8 * MIB) / 6);
    await turn.documents.insert(row, { text, chunks: [], segment: new Uint8Array() });
  });
  return `/agents/${agentId}/sources/${id}/content`;
}
