import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';

const folders = [
  ...['core', 'adapters', 'reader', 'workers', 'plugins', 'config', 'processes', 'cli'],
  ...['web', 'bench'],
];
const files = folders.flatMap((floor) =>
  readdirSync(join(projectFolder, floor), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => `${floor}/${path}`),
);

const specifiers = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

const sourceOf = (path: string): string => {
  const stem = path.replace(/\.js$/, '');
  return existsSync(join(projectFolder, `${stem}.tsx`)) ? `${stem}.tsx` : `${stem}.ts`;
};

/** File to the files of this repository that it imports, types included. */
const imports = new Map(
  [...files, 'main.ts'].map((file) => {
    const text = readFileSync(join(projectFolder, file), 'utf8');
    const found = [...text.matchAll(specifiers)].map(([, path = '']) => sourceOf(join(dirname(file), path)));
    return [file, found.filter((path) => existsSync(join(projectFolder, path)))] as const;
  }),
);

/** Folders of core to their floors, counted from the top. */
const floors = new Map(
  [
    ...readFileSync(join(projectFolder, 'docs/architecture.md'), 'utf8').matchAll(/^(\d+)\. (`core\/.*)$/gm),
  ].flatMap(([, floor, rooms = '']) =>
    [...rooms.matchAll(/`([^`]+)`/g)].map(([, room = '']) => [room, Number(floor)] as const),
  ),
);

const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/');

t.test('every file of core is on a floor that docs/architecture.md names', async (t) => {
  const rooms = new Set(files.filter((file) => file.startsWith('core/')).map(roomOf));
  t.same([...rooms].sort(), [...floors.keys()].sort());
});

t.test('files of core import only from their own folder and from lower floors', async (t) => {
  let looked = 0;
  for (const [file, found] of imports)
    for (const path of found) {
      const [from, to] = [roomOf(file), roomOf(path)];
      // The reader is a product of its own; lint says what core may take of it.
      if (!file.startsWith('core/') || from === to || to.startsWith('reader/')) continue;
      looked += 1;
      if ((floors.get(from) ?? 0) >= (floors.get(to) ?? 0)) t.fail(`${file} imports ${path}`);
    }
  t.ok(looked > 300, 'imports were found');
});

t.test('there are no import cycles', async (t) => {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (file: string, road: readonly string[]): void => {
    const met = road.indexOf(file);
    if (met >= 0) circles.push([...road.slice(met), file].join(' → '));
    if (met >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) walk(next, [...road, file]);
    done.add(file);
  };
  for (const file of imports.keys()) walk(file, []);
  t.same(circles, []);
});
