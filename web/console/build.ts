import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import {
  assetOptions,
  builtFrom,
  licencesOf,
  packageFolder,
  put,
  putImports,
  removeOld,
  root,
  staticImports,
  tags,
} from '../bundle.js';

/*
 * Builds the console into dist/console and the API reference into dist/docs, as scripts and styles with a content
 * hash in their names, and a page that loads them. esbuild is used alone: it is one package for all platforms, and
 * tsx depends on it anyway.
 */

/** Maximum size of what the console loads before its first page is shown, compressed, in bytes. */
const FIRST_LOAD = 60_000;

/** A web page: its HTML, entry script and style, and the folder below `dist` named after its address. */
interface WebPage {
  html: string;
  script: string;
  style: string;
  out: string;
  /** Maximum size of the script with its imports and the style, compressed, in bytes. */
  limit?: number;
}

/**
 * Adds to a module that is imported on demand an import of its importer, which has been loaded by then. Modules that
 * both need then share one chunk, so that a page consists of few files: on slow devices, requests cost more than bytes.
 */
const importerFirst: Plugin = {
  name: 'importer-first',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === importerFirst) return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: importerFirst });
      return { ...found, pluginData: { importer } };
    });
    onLoad({ filter: /\.tsx?$/ }, ({ path, pluginData }) => {
      if (!pluginData?.importer) return undefined;
      const contents = `import ${JSON.stringify(pluginData.importer)};\n${readFileSync(path, 'utf8')}`;
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
};

const page = await buildPage({
  html: 'web/console/index.html',
  script: 'web/console/src/main.tsx',
  style: 'web/console/src/styles/main.css',
  out: 'dist/console',
  limit: FIRST_LOAD,
});
const reference = await buildPage({
  html: 'web/reference/index.html',
  script: 'web/reference/main.ts',
  style: 'web/reference/style.css',
  out: 'dist/docs',
});
putImports('console', [page, reference]);
put(join(root, 'dist/docs/LICENSE.txt'), Buffer.from(licencesOf(withDependencies('openapi-explorer'))));

/** Returns the folders of a package and its direct dependencies. */
function withDependencies(name: string): string[] {
  const folder = packageFolder(name);
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const parts = Object.keys(dependencies).map((part) =>
    [join(folder, 'node_modules', part), packageFolder(part)].find(existsSync),
  );
  return [folder, ...parts.filter((part) => part !== undefined)];
}

async function buildPage({ html, script, style, out, limit = Infinity }: WebPage): Promise<Metafile> {
  const options = assetOptions(out);
  const { metafile, outputFiles } = await build({
    ...options,
    plugins: [...options.plugins, importerFirst],
    entryPoints: [script, style],
    loader: { '.md': 'text' },
  });
  const main = builtFrom(metafile, script);
  const first = new Set(
    [main, ...staticImports(metafile, main), builtFrom(metafile, style)].map((path) => join(root, path)),
  );
  const size = outputFiles
    .filter(({ path }) => first.has(path))
    .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  if (size > limit) throw new Error(`${out}: the first load has ${size} bytes, more than ${limit}`);
  if (process.argv.includes('--sizes')) console.log({ [out]: size });
  const page = readFileSync(join(root, html), 'utf8');
  for (const { path, contents } of outputFiles) put(path, contents);
  put(join(root, out, 'icon.svg'), readFileSync(new URL('icon.svg', import.meta.url)));
  // Write the page last, because it refers to all other files.
  put(
    join(root, out, 'index.html'),
    Buffer.from(page.replace('<!-- built files -->', tags(metafile, script, style).join('\n    '))),
  );
  removeOld(join(root, out, 'assets'), new Set(outputFiles.map(({ path }) => path)));
  return metafile;
}
