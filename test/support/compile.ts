import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from './project-folder.js';

const to = join(projectFolder, 'dist-test');
const folders = [
  'adapters',
  'bench',
  'cli',
  'config',
  'core',
  'docs',
  'plugins',
  'processes',
  'reader',
  'test',
  'web',
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

/**
 * Compiles sources and tests to `dist-test` for runs of many tests: compiling a test on load takes a second longer.
 * Starts from scratch, so that no test outlives its source.
 */
export async function compileTests(): Promise<void> {
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
}
