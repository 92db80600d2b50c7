import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { projectFile } from './support/project-folder.js';
import t from './support/t.js';
import { tempFolder } from './support/temp-folder.js';

/* `npm start` builds what has changed since the last build. The project here is small, with the real scripts and tools. */

/** A build of a page that notes its run, and what it has read. */
const pageBuild = (page: string) => `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  appendFileSync('log', '${page} ');
  mkdirSync('dist/${page}', { recursive: true });
  writeFileSync('dist/${page}/index.html', readFileSync('core/shared.ts'));
  mkdirSync('dist/.built', { recursive: true });
  writeFileSync('dist/.built/${page}-imports.json', '["core/shared.ts"]');`;

/** Notes its run, and is the real compiler. */
const compiler = `
  require('node:fs').appendFileSync('log', 'service ');
  require('typescript/lib/tsc.js');`;

function smallProject(t: Test) {
  const folder = tempFolder(t);
  const at = (path: string) => join(folder, path);
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const module = (name: string) => fileURLToPath(projectFile(`node_modules/${name}`));
  for (const file of ['build.mjs', 'package.json']) copyFileSync(fileURLToPath(projectFile(file)), at(file));
  put('tsconfig.json', '{ "compilerOptions": { "module": "nodenext", "types": [] } }');
  const compilerOptions = {
    rootDir: '.',
    outDir: 'dist',
    incremental: true,
    tsBuildInfoFile: 'dist/.tsbuildinfo',
  };
  put(
    'tsconfig.build.json',
    JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: ['main.ts', 'core'] }),
  );
  put('package-lock.json', '{}');
  put('main.ts', `import { shared } from './core/shared.js';\nconsole.log(shared);`);
  put('core/shared.ts', `export const shared: string = 'first';`);
  put('core/unused.ts', 'export const unused: number = 1;');
  put('web/console/build.ts', pageBuild('console'));
  put('web/widget/build.ts', pageBuild('widget'));
  put('node_modules/.package-lock.json', '{}');
  put('node_modules/typescript/bin/tsc', compiler);
  symlinkSync(module('typescript/lib'), at('node_modules/typescript/lib'));
  for (const name of ['tsx', 'esbuild', 'get-tsconfig', 'resolve-pkg-maps'])
    symlinkSync(module(name), at(`node_modules/${name}`));
  const npm = (...args: string[]) => {
    writeFileSync(at('log'), '');
    const out = execFileSync('npm', ['--silent', ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    return { built: readFileSync(at('log'), 'utf8').trim(), out: out.trim() };
  };
  return { at, put, npm };
}

t.test('npm start builds what has changed, and nothing else', async (t) => {
  const { at, put, npm } = smallProject(t);
  const all = 'service console widget';
  t.same(npm('run', 'build'), { built: all, out: '' });
  t.same(npm('start'), { built: '', out: 'first' }, 'nothing has changed');

  put('core/shared.ts', `export const shared: string = 'second';`);
  t.same(npm('start'), { built: all, out: 'second' }, 'pages are built from files of other folders, too');
  put('core/unused.ts', 'export const unused: number = 2;');
  t.same(npm('start'), { built: 'service', out: 'second' });
  put('web/widget/new.ts', '');
  t.same(npm('start'), { built: 'widget', out: 'second' });
  rmSync(at('web/widget/new.ts'));
  t.same(npm('start'), { built: 'widget', out: 'second' }, 'a file was deleted');
  rmSync(at('core/unused.ts'));
  t.same(npm('start'), { built: 'service', out: 'second' });

  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) {
    appendFileSync(at(file), '\n');
    t.same(npm('start'), { built: all, out: 'second' }, file);
  }
  put('core/shared.ts', `export const shared: string = 'older!';`);
  utimesSync(at('core/shared.ts'), 1, 1);
  t.same(npm('start'), { built: all, out: 'older!' }, 'the file that was moved here is old');
  t.same(npm('start'), { built: '', out: 'older!' });
});

t.test('npm start brings back output that is missing', async (t) => {
  const { at, npm } = smallProject(t);
  t.same(npm('start'), { built: 'service console widget', out: 'first' }, 'nothing was built before');
  rmSync(at('dist/core/shared.js'));
  t.same(npm('start'), { built: 'service', out: 'first' });
  rmSync(at('dist/console'), { recursive: true });
  t.same(npm('start'), { built: 'console', out: 'first' });
});

t.test('npm start fails as long as the sources do not compile', async (t) => {
  const { put, npm } = smallProject(t);
  npm('run', 'build');
  put('core/shared.ts', 'export const shared: string = 1;');
  for (let n = 0; n < 2; n += 1) t.throws(() => npm('start'), /Command failed/);
  put('core/shared.ts', `export const shared: string = 'right';`);
  t.match(npm('start'), { out: 'right' });
});
