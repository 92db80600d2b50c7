import { ndcg10, retrievalSetsMissing, xquad, xquadLanguages } from '../../support/retrieval-sets.js';
import { searchInstallation } from '../../support/search-installation.js';
import { emptyDatabase, onEachEngine } from '../../support/service.js';
import t from '../../support/t.js';

const rankings = new Map<string, string>();

const name = 'questions find the paragraph that answers them, through store and engine';

if (retrievalSetsMissing) await t.test(name, { skip: retrievalSetsMissing }, async () => {});
else
  await onEachEngine(name, async (t, engine) => {
    const installation = await searchInstallation(await emptyDatabase(t, engine));
    t.teardown(() => installation.close());
    for (const { name, documents, questions } of xquadLanguages.map(xquad)) {
      const { agentId, ids } = await installation.agentWith(documents);
      const asked = questions.filter((_, n) => n % 10 === 0);
      const ranked: number[][] = [];
      for (const { text } of asked) {
        const { found } = await installation.search(agentId, text, 20);
        ranked.push(found.map(({ hit }) => ids.indexOf(hit.documentId)));
      }
      const gains = asked.map(({ relevant }, n) => ndcg10(ranked[n] ?? [], relevant));
      const mean = gains.reduce((sum, gain) => sum + gain, 0) / asked.length;
      t.ok(mean >= 0.92, `${name}: nDCG@10 ${mean.toFixed(3)}`);
      const before = rankings.get(name);
      rankings.set(name, JSON.stringify(ranked));
      if (before !== undefined) t.equal(JSON.stringify(ranked), before, `${name}: the same on both engines`);
    }
  });
