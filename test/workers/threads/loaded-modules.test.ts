import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { projectFolder } from '../../support/project-folder.js';
import t from '../../support/t.js';

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

const packagesOf = (loaded: string[]): string[] =>
  loaded.filter((module) => !module.endsWith('.ts') && !module.startsWith('node:')).sort();

t.test(
  'a thread for files loads only what text files need; other parsers load with their first file',
  async (t) => {
    const loaded = loadedWith('workers/threads/file.thread.ts');
    t.ok(loaded.includes('reader/file/text/decode-text.ts'), 'imports are followed');
    t.same(packagesOf(loaded), ['chardet']);
    t.same(
      loaded.filter((module) =>
        /extract\/(?:page|transcript|file\/(?:pdf|docx|xlsx|pptx|archive|xml))\//.test(module),
      ),
      [],
    );
  },
);

t.test('a thread for pages loads no file parser, and no schemas', async (t) => {
  const loaded = loadedWith('workers/threads/page.thread.ts');
  t.ok(loaded.includes('reader/page/read-page.ts'), 'imports are followed');
  t.same(
    loaded.filter((module) => module.startsWith('reader/file/')),
    [],
  );
  t.same(packagesOf(loaded), [
    'chardet',
    'entities/decode',
    'html-encoding-sniffer',
    'htmlparser2',
    'ipaddr.js',
    'parse5',
  ]);
});

t.test('a search thread loads no driver of MySQL, and a worker no server', async (t) => {
  t.same(packagesOf(loadedWith('adapters/bm25-index/search.thread.ts')), [
    '@photostructure/sqlite',
    'lru-cache',
  ]);
  const worker = loadedWith('processes/worker-process.ts');
  t.ok(worker.includes('workers/crawl/crawler.ts'), 'imports are followed');
  t.notOk(worker.includes('koa'));
});
