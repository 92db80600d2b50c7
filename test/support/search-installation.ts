import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { bm25 } from '../../adapters/bm25-index/index.js';
import { openStore } from '../../adapters/sequelize/index.js';
import { emptyAgent } from '../../core/actors/agent/empty-agent.js';
import type { SourceType } from '../../core/knowledge/sources/source-types.js';
import type { NewContent } from '../../core/ports/store/rows.js';
import { ask } from '../../core/retrieval/ask.js';
import { createFindPassages } from '../../core/retrieval/find-passages.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import { createSearch } from '../../core/retrieval/search.js';
import { pluginContext } from './models.js';

const AT_A_TIME = 100;
/** By content: in a benchmark, hundreds of agents add the same documents. */
const indexed = new WeakMap<object, NewContent>();

function contentOf(document: { title: string; text: string }): NewContent {
  const known = indexed.get(document) ?? contentUnder(document.title, indexText(document.text));
  indexed.set(document, known);
  return known;
}
const MIB = 1_048_576;

/** Store and search engine over one database, like in an API process. */
export async function searchInstallation(url: string) {
  const database = { url, poolSize: 4, statementTimeoutMs: 60_000 };
  const store = openStore(database);
  await store.migrate();
  const engine = await bm25.start({
    ...pluginContext,
    options: {},
    database: { ...database, memoryBytes: 512 * MIB, vectorBytes: 512 * MIB },
  });
  const search = createSearch(engine.port, store.reads);
  const knowledge = async (agentId: string) => {
    const found = await store.reads.knowledge(agentId);
    if (!found) throw new Error(`no agent ${agentId}`);
    return found;
  };
  const workspaceId = uuidv7();
  await store.workspaces.create({
    id: workspaceId,
    name: 'bench',
    plan: 'business',
    overrides: {},
    createdAt: 1,
  });

  return {
    store,
    retrieval: engine.port,
    /** Creates an agent with these documents; returns their ids, in the same order. */
    async agentWith(documents: readonly { title: string; text: string; sourceType?: SourceType }[]) {
      const agentId = uuidv7();
      const agent = emptyAgent({ id: agentId, workspaceId, name: 'bench', url: null, createdAt: 1 });
      await store.turns.create(agent, () => 1_000_000);
      const ids = documents.map(() => uuidv7());
      for (let at = 0; at < documents.length; at += AT_A_TIME)
        await store.turns.run(agentId, null, async (turn) => {
          for (const [n, document] of documents.slice(at, at + AT_A_TIME).entries()) {
            const { title, text } = document;
            await turn.documents.insert(
              {
                id: ids[at + n] as string,
                agentId,
                workspaceId,
                sourceType: document.sourceType ?? 'text_snippet',
                title,
                bytes: Buffer.byteLength(text),
                url: null,
                storagePath: null,
                contentHash: createHash('sha256').update(text).digest('hex'),
                metadata: {},
                createdAt: 1,
                lastCrawledAt: null,
                updatedAt: 0,
              },
              contentOf(document),
            );
          }
        });
      return { agentId, ids };
    },
    async search(agentId: string, question: string, limit: number) {
      const agent = await knowledge(agentId);
      return ask(search, { agent, question, limit, sourceTypes: null });
    },
    /** Finds passages for a question and the previous message. */
    finder(maxContextTokens = 6000) {
      const find = createFindPassages({ search, reads: store.reads, maxContextTokens });
      return async (agentId: string, question: string, previous?: string) =>
        find(await knowledge(agentId), question, previous);
    },
    async close() {
      await engine.stop({ deadlineMs: 1000 });
      await store.close();
    },
  };
}

export type SearchInstallation = Awaited<ReturnType<typeof searchInstallation>>;
