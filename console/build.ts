import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

/*
 * Builds the console into dist/console and the API reference into dist/docs: scripts and styles with their
 * content in their names, and the page that loads them. esbuild does it by itself: it is one package that
 * comes with all platforms, and it is here for tsx anyway.
 */

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * A web page: its HTML, the script and the style that it starts with, and the folder below `dist` that has
 * the name of its address.
 */
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

/** Of a package that comes as one file with what it is made of: the licences of all of these, which ask to go along. */
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
  // Last, when all that it names is there.
  put(
    join(root, out, 'index.html'),
    Buffer.from(page.replace('<!-- built files -->', tags(metafile, script, style).join('\n    '))),
  );
  for (const old of readdirSync(assets).map((name) => join(assets, name)))
    if (!current.has(old) && /\.\w+$/.test(old)) rmSync(old, { force: true });
}

/** Leaves what is as it should be: the folder may be read-only, or be read by a process that starts. */
function put(path: string, bytes: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  // Without an extension: whoever starts or cleans up meanwhile passes it over.
  const half = `${path}~${process.pid}`;
  writeFileSync(half, bytes);
  renameSync(half, path);
}

/** What the page must load at once: the style, the script, and the chunks that the script cannot start without. */
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
