import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import type { Locale } from '../../core/locales/locale.schema.js';
import { widgetLocales } from '../../core/locales/locale-files.js';
import {
  assetOptions,
  browserOptions,
  builtFrom,
  licencesOf,
  packageFolder,
  put,
  putImports,
  removeOld,
  root,
  staticImports,
  tags,
  urlOf,
} from '../bundle.js';

/*
 * Builds the widget into dist/widget: the loader, the page in the frame, and the preview. Fails if a part exceeds its
 * size limit, because every visitor of a site loads it.
 */

const out = 'dist/widget';
const sources = {
  page: 'web/widget/page/main.ts',
  pageStyle: 'web/widget/styles/page.css',
  panel: 'web/widget/page/chat/visitor-panel.tsx',
  panelStyle: 'web/widget/styles/panel.css',
  preview: 'web/widget/preview/main.ts',
};

/** Maximum compressed sizes in bytes. */
const limits = { loader: 3_000, closed: 12_000, all: 46_000 };

const loader = await build({
  ...browserOptions,
  entryPoints: ['web/widget/loader/main.ts'],
  format: 'iife',
  outdir: out,
});
const assets = assetOptions(out);
const { metafile, outputFiles } = await build({
  ...assets,
  entryPoints: [sources.page, sources.preview, sources.pageStyle, sources.panelStyle].map((entry) => ({
    in: entry,
    out: entry.replace(/^web\/widget\/(.*?)(\/main)?\.\w+$/, '$1').replace(/\W/g, '-'),
  })),
  plugins: [...assets.plugins, widgetTexts()],
});

const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
const [script] = loader.outputFiles;
const panelStyle = `<link rel="stylesheet" href="${urlOf(builtFrom(metafile, sources.panelStyle))}" data-panel disabled>`;
const pages = new Map(
  [
    { name: 'page.html', html: 'web/widget/page/page.html', start: sources.page },
    { name: 'preview.html', html: 'web/widget/preview/preview.html', start: sources.preview },
  ].map(({ name, html, start }) => {
    const built = [...tags(metafile, start, sources.pageStyle), panelStyle].join('\n    ');
    const page = readFileSync(join(root, html), 'utf8').replace('<!-- built files -->', built);
    return [name, Buffer.from(page)] as const;
  }),
);
checkSizes(metafile);

for (const [path, contents] of files) put(path, contents);
put(
  join(root, out, 'LICENSE.txt'),
  Buffer.from(licencesOf(['preact', 'marked', 'eventsource-parser'].map(packageFolder))),
);
// Write the pages last, because they refer to all other files.
for (const [name, contents] of pages) put(join(root, out, name), contents);
if (script) put(join(root, out, 'widget.js'), script.contents);
removeOld(join(root, out, 'assets'), new Set(files.keys()));
putImports('widget', [metafile, loader.metafile]);

/** Takes the widget's texts from the locale files. Missing texts are taken from English. */
function widgetTexts(): Plugin {
  const read = (path: string) => {
    const { widget, messages } = JSON.parse(readFileSync(path, 'utf8')) as Locale;
    return { ...widget, ...(messages.greeting ? { greeting: messages.greeting } : {}) };
  };
  const english = read(join(root, 'locales/en.json'));
  return {
    name: 'widget-texts',
    setup({ onLoad }) {
      onLoad({ filter: /\/locales\/[\w-]+\.json$/ }, ({ path }) => ({
        contents: JSON.stringify({ ...english, ...read(path) }),
        loader: 'json',
      }));
    },
  };
}

function checkSizes(meta: Metafile): void {
  const size = (bytes: Uint8Array | undefined): number => gzipSync(bytes ?? '', { level: 9 }).length;
  const ofOutput = (path: string): number => size(files.get(join(root, path)));
  const withImports = (source: string): string[] => {
    const path = builtFrom(meta, source);
    return [path, ...staticImports(meta, path)];
  };
  const total = (paths: Iterable<string>): number =>
    [...new Set(paths)].reduce((sum, path) => sum + ofOutput(path), 0);
  const languages = widgetLocales.map((locale) => builtFrom(meta, `locales/${locale}.json`));
  const largestLanguage = Math.max(...languages.map(ofOutput));

  const closed = [...withImports(sources.page), builtFrom(meta, sources.pageStyle)];
  const opened = [...closed, ...withImports(sources.panel), builtFrom(meta, sources.panelStyle)];
  const rest = size(pages.get('page.html')) + largestLanguage;
  const sizes = {
    loader: size(script?.contents),
    closed: total(closed) + rest,
    all: size(script?.contents) + total(opened) + rest,
  };
  for (const part of ['loader', 'closed', 'all'] as const)
    if (sizes[part] > limits[part])
      throw new Error(`widget: ${part} has ${sizes[part]} bytes, more than ${limits[part]}`);
  if (process.argv.includes('--sizes')) console.log(sizes);
}
