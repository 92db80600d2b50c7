import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from './project-folder.js';

/**
 * Compiles sources and tests to `dist-test` for runs of many tests: compiling a test on load takes a second longer.
 * Starts from scratch, so that no test outlives its source. `npm test` runs the tests of some folders in batches.
 */

const to = join(projectFolder, 'dist-test');
const folders = [
  'adapters',
  'bench',
  'cli',
  'client',
  'config',
  'console/src',
  'core',
  'docs',
  'plugins',
  'processes',
  'test',
  'widget',
  'workers',
];
/** Packages with their own dependencies. */
const apart = /^(bench\/peers|plugins\/examples)\//;

const sources = folders
  .flatMap((folder) =>
    readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name).replaceAll('\\', '/'),
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !apart.test(file));

rmSync(to, { recursive: true, force: true });
await build({
  absWorkingDir: projectFolder,
  entryPoints: ['main.ts', ...sources],
  outdir: to,
  outbase: projectFolder,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'linked',
  sourcesContent: false,
});

/** Folders of `test` that run in batches, as the exclusions in `.taprc` say. */
const inBatches = ['adapters', 'cli', 'config', 'core', 'workers'];
/** Large enough to save most of the loading, small enough to divide the work evenly among the jobs. */
const BATCH_FILES = 10;

const batches = join(to, 'batches');
mkdirSync(batches);
for (const folder of inBatches) {
  const tests = sources
    .filter((file) => file.startsWith(`test/${folder}/`) && file.endsWith('.test.ts'))
    .sort();
  for (let n = 0; n * BATCH_FILES < tests.length; n += 1) {
    const files = tests
      .slice(n * BATCH_FILES, (n + 1) * BATCH_FILES)
      .map((file) => file.replace(/ts$/, 'js'));
    const script = `import { runBatch } from '../test/support/batch.js';\nawait runBatch(${JSON.stringify(files)});\n`;
    writeFileSync(join(batches, `${folder}-${String(n + 1).padStart(2, '0')}.test.js`), script);
  }
}
