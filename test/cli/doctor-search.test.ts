import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { nodeArguments } from '../support/entry.js';
import { projectFolder } from '../support/project-folder.js';
import { searchInstallation } from '../support/search-installation.js';

t.setTimeout(120_000);

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

async function doctor(t: Test, health: object): Promise<{ retrieval: object; advice: string[] }> {
  const folder = t.testdir({ 'mine.mjs': engine(health) });
  const installation = await searchInstallation(`sqlite:${join(folder, 'cadre.sqlite')}`);
  await installation.agentWith([{ title: 'Heron', text: 'The heron stands in the pond.' }]);
  await installation.close();
  const CONFIG_FILE = join(folder, 'cadre.json');
  writeFileSync(CONFIG_FILE, JSON.stringify({ plugins: { retrieval: { use: './mine.mjs' } } }));
  const DATABASE_URL = `sqlite:${join(folder, 'cadre.sqlite')}`;
  const env = { PATH: process.env.PATH, DATA_DIR: folder, CONFIG_FILE, DATABASE_URL };
  const out = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [...nodeArguments('cli/main'), 'doctor', '--json'],
      { cwd: projectFolder, env },
      (_error, text) => resolve(text),
    );
  });
  return JSON.parse(out) as { retrieval: object; advice: string[] };
}

t.test('the doctor reports a search engine that does not receive changes', async (t) => {
  const { retrieval, advice } = await doctor(t, { ok: true });
  t.match(retrieval, { ok: false });
  t.match(advice.join('\n'), /Check the search engine: it lacks the changes of 1 agents/);
});

t.test('the doctor reports problems of the search engine', async (t) => {
  const { retrieval } = await doctor(t, { ok: false, reason: 'no connection' });
  t.same(retrieval, { ok: false, reason: 'no connection' });
});
