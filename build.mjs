import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Builds all parts, or the parts named on the command line: `node build.mjs [--changed] [service] [console] [widget]`. With `--changed`
 * it skips a part whose sources and output are the same as after its last build. It compares names, sizes and times of
 * change: a newest time alone would miss files that were deleted or moved. It is not compiled, so that it starts at once.
 */

const root = fileURLToPath(new URL('.', import.meta.url));
const { include, references = [] } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
/** Products that the service is built on, by their folders. */
const products = references.map(({ path }) => path.replace(/^\.\//, ''));
/** What the compiler has written, as it notes for its next build. */
const compilerNotes = ['dist/.tsbuildinfo', ...products.map((name) => `dist/.${name}.tsbuildinfo`)];

/** Sources of every part: the settings of compilers, and what is installed. */
const shared = [
  'build.mjs',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
];

/**
 * Files and folders that a part is built from and into, the arguments of Node for each step, and where that notes which
 * other files it has read.
 */
const parts = {
  service: {
    sources: ['tsconfig.build.json', ...products, ...include],
    output: [...products, ...include]
      .map((name) => join('dist', name.replace(/\.ts$/, '.js')))
      .concat(compilerNotes),
    // Not `--build`, which goes by times of change and misses a file with an old one.
    commands: [...products, 'tsconfig.build.json'].map((config) => [
      'node_modules/typescript/bin/tsc',
      '-p',
      config,
    ]),
  },
  console: {
    sources: ['web/console', 'web/reference', 'web/client', 'web/bundle.ts', 'locales'],
    output: ['dist/console', 'dist/docs'],
    commands: [['--import=tsx', 'web/console/build.ts']],
    imports: 'dist/.built/console-imports.json',
  },
  widget: {
    sources: ['web/widget', 'web/client', 'web/bundle.ts', 'locales'],
    output: ['dist/widget'],
    commands: [['--import=tsx', 'web/widget/build.ts']],
    imports: 'dist/.built/widget-imports.json',
  },
};

/** Returns the files, with a hash of their sizes and times of change, and the newest of these times. */
function stateOf(paths) {
  const files = [...new Set(paths.flatMap(filesIn))].sort();
  const hash = createHash('sha256');
  let newest = 0;
  for (const file of files) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false });
    hash.update(`${file} ${stat?.size} ${stat?.ctimeMs}\n`);
    newest = Math.max(newest, stat?.ctimeMs ?? 0);
  }
  return { hash: hash.digest('hex'), newest };
}

/** Returns the path itself unless it is a folder. */
function filesIn(path) {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}

/** Returns null if there is no such file, or only a part of it. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch {
    return null;
  }
}

/** The state of the sources, including the imports recorded by the last build. */
const sourcesOf = ({ sources, imports }) =>
  stateOf([...shared, ...sources, ...(imports ? (readJson(imports) ?? []) : [])]);

function build(name, isForced) {
  const part = parts[name];
  const stampFile = `dist/.built/${name}.json`;
  const stamp = readJson(stampFile);
  const isOutputSame = stamp?.output === stateOf(part.output).hash;
  if (!isForced && isOutputSame && stamp.sources === sourcesOf(part).hash) return;
  // tsc writes only what has changed since its last build, so it would not bring back a lost file.
  if (name === 'service' && !isOutputSame)
    for (const note of compilerNotes) rmSync(join(root, note), { force: true });
  const began = Date.now();
  for (const command of part.commands) {
    const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  const { hash: sources, newest } = sourcesOf(part);
  // The build may have read a file before it changed.
  if (newest < began) write(stampFile, { sources, output: stateOf(part.output).hash });
}

function write(path, value) {
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(`${at}~${process.pid}`, JSON.stringify(value));
  renameSync(`${at}~${process.pid}`, at);
}

const named = process.argv.slice(2).filter((argument) => argument !== '--changed');
for (const name of named.length > 0 ? named : Object.keys(parts))
  build(name, !process.argv.includes('--changed'));
