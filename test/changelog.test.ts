import { readFileSync } from 'node:fs';
import { projectFile } from './support/project-folder.js';
import t from './support/t.js';

const textOf = (name: string): string => readFileSync(projectFile(name), 'utf8');

t.test('the changelog tells what the version of the package brings, above all older ones', async (t) => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  const entries = textOf('CHANGELOG.md').split(/^## /m).slice(1);
  t.ok(entries[0]?.startsWith(`${version} `), `the first entry is that of ${version}`);
  for (const entry of entries) t.match(entry, /^- /m, entry.slice(0, 20));
});
