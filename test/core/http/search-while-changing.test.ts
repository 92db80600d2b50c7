import { setTimeout as sleep } from 'node:timers/promises';
import { searchedAgent } from '../../support/searching.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

const DOCUMENTS = 24;
const PAUSE_MS = 20;

await onEachEngine('a deleted document is never quoted after its 200, even under load', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { api, apiKey, searchBy, addText, forget } = await searchedAgent(service);
  const ids = await Promise.all(
    Array.from({ length: DOCUMENTS }, (_, n) => addText(`Title ${n}`, `The lighthouse keeper number${n}.`)),
  );
  const gone = new Set<string>();
  let over = false;
  let asked = 0;
  const quotedAfterwards: string[] = [];
  const ask = async (search: ReturnType<typeof searchBy>) => {
    while (!over) {
      const before = new Set(gone);
      const hits = await search('lighthouse keeper', { limit: 100 });
      asked += 1;
      quotedAfterwards.push(...hits.map(({ documentId }) => documentId).filter((id) => before.has(id)));
      await sleep(PAUSE_MS);
    }
  };
  const beside = (await service.beside()).api(apiKey);
  const askers = [searchBy(api), searchBy(api), searchBy(beside)].map(ask);
  for (const id of ids) {
    t.equal((await forget(id)).status, 200);
    gone.add(id);
    await addText('Another', 'Another lighthouse keeper.');
    // On a busy machine, searches may be slower than deletions.
    const askedBefore = asked;
    await until('another question', () => asked > askedBefore);
  }
  over = true;
  await Promise.all(askers);
  t.same(quotedAfterwards, []);
  t.ok(asked >= DOCUMENTS, `${asked} questions were asked meanwhile`);
});
