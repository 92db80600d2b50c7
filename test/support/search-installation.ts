import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { attachDatabase, bm25 } from '../../adapters/bm25-index/index.js';
import { openStore } from '../../adapters/sequelize/index.js';
import { emptyAgent } from '../../core/actors/agent/state.js';
import { silentLog } from '../../core/ports/log.port.js';
import { contentUnder, indexText } from '../../core/retrieval/index-text.js';
import { questionTerms } from '../../core/retrieval/question-terms.js';
import { createSearch } from '../../core/retrieval/search.js';

const AT_A_TIME = 100;
const MIB = 1_048_576;

/** Store and search engine over one database, as the API process has them. */
export async function searchInstallation(url: string) {
  const database = { url, poolSize: 4, statementTimeoutMs: 60_000 };
  const store = openStore(database);
  await store.migrate();
  const engine = await bm25.start({
    options: {},
    log: silentLog,
    role: 'api',
    dataDir: '.',
    maxUploadBytes: 0,
    maxDeliveries: 1,
    secret: new Uint8Array(),
    processName: 'bench',
    now: () => Date.now(),
  });
  attachDatabase(engine.port, { database, memoryBytes: 512 * MIB });
  const search = createSearch(engine.port, store.reads);
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
    /** An agent that knows these documents; their ids, in the same order. */
    async agentWith(documents: readonly { title: string; text: string }[]) {
      const agentId = uuidv7();
      const agent = emptyAgent({ id: agentId, workspaceId, name: 'bench', url: null, createdAt: 1 });
      await store.turns.create(agent, () => 1_000_000);
      const ids = documents.map(() => uuidv7());
      for (let at = 0; at < documents.length; at += AT_A_TIME)
        await store.turns.run(agentId, null, async (turn) => {
          for (const [n, { title, text }] of documents.slice(at, at + AT_A_TIME).entries())
            await turn.documents.insert(
              {
                id: ids[at + n] as string,
                agentId,
                workspaceId,
                sourceType: 'text_snippet',
                title,
                bytes: Buffer.byteLength(text),
                url: null,
                storagePath: null,
                contentHash: createHash('sha256').update(text).digest('hex'),
                metadata: {},
                createdAt: 1,
                lastCrawledAt: null,
              },
              contentUnder(title, indexText(text)),
            );
        });
      return { agentId, ids };
    },
    async search(agentId: string, question: string, limit: number) {
      const agent = await store.reads.knowledge(agentId);
      if (!agent) throw new Error(`no agent ${agentId}`);
      return search({ agent, question, terms: questionTerms(question), limit, sourceTypes: null });
    },
    async close() {
      await engine.stop({ deadlineMs: 1000 });
      await store.close();
    },
  };
}

export type SearchInstallation = Awaited<ReturnType<typeof searchInstallation>>;
