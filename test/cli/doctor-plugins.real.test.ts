import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { commandLine } from '../support/command-line.js';
import * as embeddings from '../support/fake-embeddings.js';
import * as models from '../support/fake-provider.js';
import { searchInstallation } from '../support/search-installation.js';
import t from '../support/t.js';
import { tempFolder } from '../support/temp-folder.js';

interface Diagnosis {
  models: object;
  embedding: object;
  retrieval: object;
  advice: string[];
}

/** Runs the doctor with these plugins. */
async function doctor(t: Test, plugins: object, folder = tempFolder(t)): Promise<Diagnosis> {
  const CONFIG_FILE = join(folder, 'cadre.json');
  writeFileSync(CONFIG_FILE, JSON.stringify({ plugins }));
  const { out } = await commandLine({ DATA_DIR: folder, CONFIG_FILE }).run('doctor', '--json');
  return JSON.parse(out) as Diagnosis;
}

t.test('the doctor requests one token from each provider and reports failures', async (t) => {
  const well = await models.startFakeProvider(models.says('y'));
  const unwell = await models.startFakeProvider(models.answers(401));
  t.teardown(() => Promise.all([well.close(), unwell.close()]));
  const found = await doctor(t, {
    model: {
      use: 'openai-compatible',
      options: {
        providers: { well: { baseUrl: well.baseUrl }, unwell: { baseUrl: unwell.baseUrl } },
        models: { '*': { provider: 'well', model: 'a' }, b: { provider: 'unwell', model: 'b' } },
      },
    },
  });
  t.match(found.models, { well: { ok: true }, unwell: { ok: false } });
  t.match(found.advice.join('\n'), /Check the model provider unwell: status 401/);
  t.match(well.calls, [{ body: { model: 'a', max_tokens: 1 } }]);
});

t.test('the doctor requests a vector from the embedding model and reports failures', async (t) => {
  const provider = await embeddings.startFakeEmbeddings(
    embeddings.embeds(),
    embeddings.answers(404, { error: { message: 'no such model' } }),
  );
  t.teardown(() => provider.close());
  const options = { baseUrl: provider.baseUrl, model: 'small-1' };
  const plugins = { embedding: { use: 'openai-compatible', options } };
  t.same((await doctor(t, plugins)).embedding, { ok: true });
  const { embedding, advice } = await doctor(t, plugins);
  t.match(embedding, { ok: false });
  t.match(advice.join('\n'), /Check the embedding model: status 404: no such model/);
});

t.test('without a model or an embedding model, there is no check', async (t) => {
  const { models, embedding } = await doctor(t, {});
  t.same({ models, embedding }, { models: {}, embedding: { ok: true } });
});

/** An engine that stores nothing, or is unreachable. */
const engine = (health: object): string => `export default {
  kind: 'retrieval', name: 'mine', contract: 1, optionsSchema: {},
  start: async () => ({
    port: {
      feed: { known: async () => [], apply: async () => { throw new Error('no'); } },
      search: async () => { throw new Error('no'); },
      forget: async () => {},
      health: async () => (${JSON.stringify(health)}),
    },
    stop: async () => {},
  }),
}`;

async function doctorOfEngine(t: Test, health: object): Promise<Diagnosis> {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'mine.mjs'), engine(health));
  const installation = await searchInstallation(`sqlite:${join(folder, 'cadre.sqlite')}`);
  await installation.agentWith([{ title: 'Heron', text: 'The heron stands in the pond.' }]);
  await installation.close();
  return doctor(t, { retrieval: { use: './mine.mjs' } }, folder);
}

t.test('the doctor reports a search engine that does not receive changes', async (t) => {
  const { retrieval, advice } = await doctorOfEngine(t, { ok: true });
  t.match(retrieval, { ok: false });
  t.match(advice.join('\n'), /Check the search engine: it lacks the changes of 1 agents/);
});

t.test('the doctor reports problems of the search engine', async (t) => {
  const { retrieval } = await doctorOfEngine(t, { ok: false, reason: 'no connection' });
  t.same(retrieval, { ok: false, reason: 'no connection' });
});
