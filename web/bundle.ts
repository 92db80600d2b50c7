import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { widgetLocales } from '../core/locales/locale-files.js';

/* Shared by the builds of the console and the widget. */

export const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Replaces the module that reads the folder of locales with a list of its file names, because browsers cannot list
 * files.
 */
const localeNames: Plugin = {
  name: 'locale-names',
  setup({ onLoad }) {
    onLoad({ filter: /\/core\/locales\/locale-files\.ts$/ }, () => ({
      contents: `export const widgetLocales = ${JSON.stringify(widgetLocales)};`,
    }));
  },
};

/** Options for scripts and styles that a browser loads. */
export const browserOptions = {
  absWorkingDir: root,
  bundle: true,
  target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  plugins: [localeNames],
  write: false,
} as const satisfies BuildOptions;

/** Options for modules with a content hash in their names. */
export const assetOptions = (out: string) =>
  ({
    ...browserOptions,
    outdir: `${out}/assets`,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
  }) as const satisfies BuildOptions;

/** Writes only changed files, because the folder may be read-only or in use by a starting process. */
export function put(path: string, bytes: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  // No extension, so that concurrent starts and cleanups ignore the file.
  const half = `${path}~${process.pid}`;
  writeFileSync(half, bytes);
  renameSync(half, path);
}

/** Records for `build.mjs` which files outside of node_modules a page was built from. */
export function putImports(page: string, metafiles: readonly Metafile[]): void {
  const sources = new Set(metafiles.flatMap(({ inputs }) => Object.keys(inputs)));
  const own = [...sources].filter((path) => !path.startsWith('node_modules/')).sort();
  put(join(root, 'dist/.built', `${page}-imports.json`), Buffer.from(JSON.stringify(own)));
}

/** Removes files of earlier builds from a folder. */
export function removeOld(folder: string, current: ReadonlySet<string>): void {
  for (const old of readdirSync(folder).map((name) => join(folder, name)))
    if (!current.has(old) && /\.\w+$/.test(old)) rmSync(old, { force: true });
}

/** Returns the path of the output that was built from an entry. */
export const builtFrom = ({ outputs }: Metafile, source: string): string => {
  const path = Object.keys(outputs).find((name) => outputs[name]?.entryPoint === source);
  if (path === undefined) throw new Error(`nothing was built from ${source}`);
  return path;
};

/** Returns the outputs that a script imports statically, without the script itself. */
export function staticImports({ outputs }: Metafile, script: string): string[] {
  const chunks = new Set<string>();
  const add = (path: string): void => {
    for (const { path: needed, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !chunks.has(needed)) {
        chunks.add(needed);
        add(needed);
      }
  };
  add(script);
  return [...chunks];
}

/** Returns the URL of an output. */
export const urlOf = (path: string): string => path.replace('dist', '');

/** Returns tags for the files that a page needs at once: the style, the script and its static chunks. */
export function tags(metafile: Metafile, start: string, style: string): string[] {
  const script = builtFrom(metafile, start);
  return [
    `<link rel="stylesheet" href="${urlOf(builtFrom(metafile, style))}">`,
    ...staticImports(metafile, script).map((path) => `<link rel="modulepreload" href="${urlOf(path)}">`),
    `<script type="module" src="${urlOf(script)}"></script>`,
  ];
}

/** Returns the licences of the packages in a bundle. Most licences require this. */
export const licencesOf = (folders: readonly string[]): string =>
  folders
    .flatMap((folder) =>
      readdirSync(folder).flatMap((file) => (/^licen[cs]e/i.test(file) ? [join(folder, file)] : [])),
    )
    .map(
      (path) => `${dirname(path).split('/node_modules/').at(-1)}\n\n${readFileSync(path, 'utf8').trim()}\n`,
    )
    .join('\n\n');

export const packageFolder = (name: string): string => join(root, 'node_modules', name);
