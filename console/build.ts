import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

/*
 * Builds the console into dist/console and the API reference into dist/docs, as scripts and styles with a content
 * hash in their names, and a page that loads them. esbuild is used alone: it is one package for all platforms, and
 * tsx depends on it anyway.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

/** A web page: its HTML, entry script and style, and the folder below `dist` named after its address. */
interface WebPage {
  html: string;
  script: string;
  style: string;
  out: string;
}

await buildPage({
  html: 'console/index.html',
  script: 'console/src/main.tsx',
  style: 'console/src/styles/main.css',
  out: 'dist/console',
});
await buildPage({
  html: 'console/reference/index.html',
  script: 'console/reference/main.ts',
  style: 'console/reference/style.css',
  out: 'dist/docs',
});
put(join(root, 'dist/docs/LICENSE.txt'), Buffer.from(licencesOf('openapi-explorer')));

/** Licences of the packages inside a bundle, which must be included. */
function licencesOf(bundle: string): string {
  const folder = join(root, 'node_modules', bundle);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const parts = Object.keys(dependencies).map((name) =>
    [join(folder, 'node_modules', name), join(root, 'node_modules', name)].find(existsSync),
  );
  return [folder, ...parts.filter((part) => part !== undefined)]
    .flatMap((part) =>
      readdirSync(part).flatMap((file) => (/^licen[cs]e/i.test(file) ? [join(part, file)] : [])),
    )
    .map(
      (path) => `${dirname(path).split('/node_modules/').at(-1)}\n\n${readFileSync(path, 'utf8').trim()}\n`,
    )
    .join('\n\n');
}

async function buildPage({ html, script, style, out }: WebPage): Promise<void> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [script, style],
    outdir: `${out}/assets`,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox114', 'safari16.4'],
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    write: false,
  });
  const page = readFileSync(join(root, html), 'utf8');
  const assets = join(root, out, 'assets');
  const current = new Set(outputFiles.map(({ path }) => path));
  for (const { path, contents } of outputFiles) put(path, contents);
  put(join(root, out, 'icon.svg'), readFileSync(new URL('icon.svg', import.meta.url)));
  // Written last, after all files that it refers to.
  put(
    join(root, out, 'index.html'),
    Buffer.from(page.replace('<!-- built files -->', tags(metafile, script, style).join('\n    '))),
  );
  for (const old of readdirSync(assets).map((name) => join(assets, name)))
    if (!current.has(old) && /\.\w+$/.test(old)) rmSync(old, { force: true });
}

/** Writes only changed files: the folder may be read-only, or be read by a starting process. */
function put(path: string, bytes: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  // No extension, so that concurrent starts and cleanups ignore the file.
  const half = `${path}~${process.pid}`;
  writeFileSync(half, bytes);
  renameSync(half, path);
}

/** Tags for the files needed at once: the style, the script, and its static chunks. */
function tags({ outputs }: Metafile, start: string, style: string): string[] {
  const builtFrom = (source: string): string =>
    Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source) ?? '';
  const script = builtFrom(start);
  const chunks = new Set<string>();
  const add = (path: string): void => {
    for (const { path: needed, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement' && !chunks.has(needed)) {
        chunks.add(needed);
        add(needed);
      }
  };
  add(script);
  const url = (path: string): string => path.replace('dist', '');
  return [
    `<link rel="stylesheet" href="${url(builtFrom(style))}">`,
    ...[...chunks].map((path) => `<link rel="modulepreload" href="${url(path)}">`),
    `<script type="module" src="${url(script)}"></script>`,
  ];
}
