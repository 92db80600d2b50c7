import { v7 as uuidv7 } from 'uuid';
import { attachDatabase, bm25 } from '../../adapters/bm25-index/index.js';
import { openStore } from '../../adapters/sequelize/index.js';
import { emptyAgent } from '../../core/actors/agent/state.js';
import type { Found } from '../../core/knowledge/passages.js';
import { createFindPassages } from '../../core/retrieval/find-passages.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import { createSearch } from '../../core/retrieval/search.js';
import { pluginContext } from './models.js';

export interface AskedAgent {
  find(question: string): Promise<Found>;
  close(): Promise<void>;
}

const AT_A_TIME = 100;
const MIB = 1_048_576;

/** An agent in a database of its own that has learned these texts, with the product's own search over them. */
export async function askedAgent(url: string, texts: readonly string[]): Promise<AskedAgent> {
  const database = { url, poolSize: 2, statementTimeoutMs: 60_000 };
  const store = openStore(database);
  await store.migrate();
  const engine = await bm25.start({ ...pluginContext, options: {} });
  attachDatabase(engine.port, { database, memoryBytes: 256 * MIB });
  const [workspaceId, agentId] = [uuidv7(), uuidv7()];
  await store.workspaces.create({
    id: workspaceId,
    name: 'asked',
    plan: 'business',
    overrides: {},
    createdAt: 1,
  });
  const agent = emptyAgent({ id: agentId, workspaceId, name: 'asked', url: null, createdAt: 1 });
  await store.turns.create(agent, () => 1_000_000);
  for (let at = 0; at < texts.length; at += AT_A_TIME)
    await store.turns.run(agentId, null, async (turn) => {
      for (const text of texts.slice(at, at + AT_A_TIME))
        await turn.documents.insert(
          {
            id: uuidv7(),
            agentId,
            workspaceId,
            sourceType: 'text_snippet',
            title: '',
            bytes: Buffer.byteLength(text),
            url: null,
            storagePath: null,
            contentHash: '',
            metadata: {},
            createdAt: 1,
            lastCrawledAt: null,
          },
          contentUnder('', indexText(text)),
        );
    });
  const knowledge = await store.reads.knowledge(agentId);
  if (knowledge === null) throw new Error('the agent is gone');
  const findPassages = createFindPassages({
    search: createSearch(engine.port, store.reads),
    reads: store.reads,
    maxContextTokens: 6000,
  });
  return {
    find: (question) => findPassages(knowledge, question),
    async close() {
      await engine.stop({ deadlineMs: 1000 });
      await store.close();
    },
  };
}
