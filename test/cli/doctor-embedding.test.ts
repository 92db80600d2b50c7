import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { nodeArguments } from '../support/entry.js';
import { answers, embeds, startFakeEmbeddings } from '../support/fake-embeddings.js';
import { projectFolder } from '../support/project-folder.js';

t.setTimeout(120_000);

async function doctor(t: Test, embedding: object): Promise<{ embedding: object; advice: string[] }> {
  const folder = t.testdir();
  const CONFIG_FILE = join(folder, 'cadre.json');
  writeFileSync(CONFIG_FILE, JSON.stringify({ plugins: { embedding } }));
  const env = { PATH: process.env.PATH, DATA_DIR: folder, CONFIG_FILE };
  const args = [...nodeArguments('cli/main'), 'doctor', '--json'];
  const out = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: projectFolder, env }, (_error, text) => resolve(text));
  });
  return JSON.parse(out) as { embedding: object; advice: string[] };
}

t.test('the doctor requests a vector from the embedding model and reports failures', async (t) => {
  const provider = await startFakeEmbeddings(embeds(), answers(404, { error: { message: 'no such model' } }));
  t.teardown(() => provider.close());
  const configured = {
    use: 'openai-compatible',
    options: { baseUrl: provider.baseUrl, model: 'small-1' },
  };
  t.same((await doctor(t, configured)).embedding, { ok: true });
  const { embedding, advice } = await doctor(t, configured);
  t.match(embedding, { ok: false });
  t.match(advice.join('\n'), /Check the embedding model: status 404: no such model/);
});

t.test('without an embedding model, there is no check', async (t) => {
  t.same((await doctor(t, {})).embedding, { ok: true });
});
