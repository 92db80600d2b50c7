import { v7 as uuidv7 } from 'uuid';
import type { IndexedText } from '../../core/ports/indexer.port.js';
import type { Store } from '../../core/ports/store/store.port.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import type { JsonObject } from '../../core/schemas/json.js';

interface Page {
  metadata?: JsonObject;
  text?: string;
  /** Its index. */
  content?: IndexedText;
}

/** Adds indexed pages to an agent, one per URL, as if they had been fetched; returns their document ids. */
export async function addPages(
  store: Store,
  agentId: string,
  urls: string[],
  { metadata = {}, text = '.', content = indexText(text) }: Page = {},
): Promise<string[]> {
  const { result } = await store.turns.run(agentId, null, async (turn) => {
    const ids: string[] = [];
    for (const url of urls) {
      const id = uuidv7();
      ids.push(id);
      const page = { id, agentId, workspaceId: turn.agent.workspaceId, title: url, url, bytes: 1 };
      await turn.documents.insert(
        {
          ...page,
          sourceType: 'web_crawl',
          storagePath: null,
          contentHash: 'hash of before',
          metadata,
          createdAt: 1,
          lastCrawledAt: 1,
          updatedAt: 1,
        },
        contentUnder(url, { ...content, text }),
      );
    }
    await turn.addStorage(urls.length);
    return ids;
  });
  return result;
}

/** `https://a.example/0` and so on. */
export const pageUrls = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `https://a.example/${n}`);
