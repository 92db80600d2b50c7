import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRetrievalContract } from '../../contracts/retrieval.contract.js';
import { searchInstallation } from '../../support/search-installation.js';
import t from '../../support/t.js';

describeRetrievalContract(t, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cadre-bm25-'));
  const installation = await searchInstallation(`sqlite:${join(folder, 'cadre.sqlite')}`);
  const { store, retrieval, agentWith } = installation;
  let stopped = false;
  return {
    retrieval,
    agentWith,
    remove: async (agentId, documentId) => {
      await store.turns.run(agentId, null, async ({ documents }) => {
        const row = await documents.find(documentId);
        if (row) await documents.delete(row);
      });
    },
    knowledge: async (agentId) => {
      const knowledge = await store.reads.knowledge(agentId);
      if (!knowledge) throw new Error(`no agent ${agentId}`);
      return knowledge;
    },
    settled: async () => {},
    stop: async () => {
      if (stopped) return;
      stopped = true;
      await installation.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
