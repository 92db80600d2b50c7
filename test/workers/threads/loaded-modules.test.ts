import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import t from 'tap';
import { projectFolder } from '../../support/project-folder.js';

/** Static imports and re-exports, without types and `import()`. */
const statics = /^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm;

/** Returns all modules that are loaded with `entry`: files of this repository, and packages by name. */
function loadedWith(entry: string): string[] {
  const found = new Set([entry]);
  for (const file of found) {
    if (!file.endsWith('.ts')) continue;
    for (const [, specifier = ''] of readFileSync(join(projectFolder, file), 'utf8').matchAll(statics))
      found.add(
        specifier.startsWith('.') ? join(dirname(file), specifier).replace(/\.js$/, '.ts') : specifier,
      );
  }
  return [...found];
}

t.test(
  'a thread for files loads only what text files need; other parsers load with their first file',
  async (t) => {
    const loaded = loadedWith('workers/threads/file.thread.ts');
    t.ok(loaded.includes('workers/extract/file/text/decode-text.ts'), 'imports are followed');
    const packages = loaded.filter((module) => !module.endsWith('.ts') && !module.startsWith('node:'));
    t.same(packages, ['chardet']);
    t.same(
      loaded.filter((module) =>
        /extract\/(?:page|transcript|file\/(?:pdf|docx|xlsx|pptx|archive|xml))\//.test(module),
      ),
      [],
    );
  },
);

t.test('a thread for pages loads no file parser', async (t) => {
  const loaded = loadedWith('workers/threads/page.thread.ts');
  t.ok(loaded.includes('workers/extract/page/read-page.ts'), 'imports are followed');
  t.same(
    loaded.filter((module) => module.startsWith('workers/extract/file/')),
    [],
  );
});
