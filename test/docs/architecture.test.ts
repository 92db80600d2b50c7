import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { projectFile } from '../support/project-folder.js';
import t from '../support/t.js';

const at = (path: string): URL => projectFile(path);

/** Folders in the first column of the table. */
const named = [...readFileSync(at('docs/architecture.md'), 'utf8').matchAll(/^\| (`[^|]+`) \|/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  .map(([, path = '']) => path);

/** Top-level folders. Tests and benches are listed elsewhere. */
const floors = ['core', 'adapters', 'workers', 'plugins', 'cli', 'web'];

t.test('docs/architecture.md names every folder and only existing ones', async (t) => {
  for (const floor of floors)
    for (const room of readdirSync(at(floor), { withFileTypes: true }).filter((entry) => entry.isDirectory()))
      t.ok(named.includes(`${floor}/${room.name}`), `${floor}/${room.name} is told`);
  for (const path of named) t.ok(existsSync(at(path)), `${path} is there`);
});
