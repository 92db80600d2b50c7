import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { nodeArguments } from '../support/entry.js';
import { answers, says, startFakeProvider } from '../support/fake-provider.js';
import { projectFolder } from '../support/project-folder.js';

t.setTimeout(120_000);

async function doctor(t: Test, model: object): Promise<{ models: object; advice: string[] }> {
  const folder = t.testdir();
  const CONFIG_FILE = join(folder, 'cadre.json');
  writeFileSync(CONFIG_FILE, JSON.stringify({ plugins: { model } }));
  const env = { PATH: process.env.PATH, DATA_DIR: folder, CONFIG_FILE };
  const args = [...nodeArguments('cli/main'), 'doctor', '--json'];
  const out = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: projectFolder, env }, (_error, text) => resolve(text));
  });
  return JSON.parse(out) as { models: object; advice: string[] };
}

t.test('the doctor requests one token from each provider and reports failures', async (t) => {
  const [well, unwell] = [await startFakeProvider(says('y')), await startFakeProvider(answers(401))];
  t.teardown(() => Promise.all([well.close(), unwell.close()]));
  const { models, advice } = await doctor(t, {
    use: 'openai-compatible',
    options: {
      providers: { well: { baseUrl: well.baseUrl }, unwell: { baseUrl: unwell.baseUrl } },
      models: { '*': { provider: 'well', model: 'a' }, b: { provider: 'unwell', model: 'b' } },
    },
  });
  t.match(models, { well: { ok: true }, unwell: { ok: false } });
  t.match(advice.join('\n'), /Check the model provider unwell: status 401/);
  t.match(well.calls, [{ body: { model: 'a', max_tokens: 1 } }]);
});

t.test('without a model, there is no check', async (t) => {
  t.same((await doctor(t, {})).models, {});
});
