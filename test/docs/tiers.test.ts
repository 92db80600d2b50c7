import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';
import { databasesOf, filesOf, isReal, testFiles } from '../support/tiers.js';

/** What starts or needs another process. Tests of both databases choose theirs when they run. */
const OUTSIDE =
  /from '(node:child_process|playwright-core|amqplib|pg|@redis\/client|azurite[^']*)'|\bworker: \{/;
const RELATIVE = /from '(\.[^']+)\.js'/g;

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const path = join(projectFolder, file);
  const known = sources.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
  sources.set(file, known);
  return known;
}

/** The test and what it imports from `test`. */
function modulesOf(test: string): Set<string> {
  const found = new Set([test]);
  for (const file of found)
    for (const [, path = ''] of sourceOf(file).matchAll(RELATIVE)) {
      const imported = `${normalize(join(dirname(file), path))}.ts`;
      if (imported.startsWith('test/') && !imported.startsWith('test/contracts/')) found.add(imported);
    }
  return found;
}

t.test('tests that start or need other processes are named *.real.test.ts', async (t) => {
  for (const test of testFiles().filter((file) => !isReal(file) && file !== 'test/docs/tiers.test.ts'))
    t.strictSame(
      [...modulesOf(test)].filter((file) => OUTSIDE.test(sourceOf(file))),
      [],
      test,
    );
});

t.test('tests of both databases run on both', async (t) => {
  const [own, real] = [new Set(filesOf('own')), filesOf('real')];
  for (const test of real) {
    const databases = [
      ...(own.has(test) ? databasesOf('own', [test]).split(' ') : []),
      ...databasesOf('real', [test]).split(' '),
    ];
    t.strictSame(databases, ['sqlite', 'mysql'], test);
  }
});
