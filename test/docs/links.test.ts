import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectFolder } from '../support/project-folder.js';
import t from '../support/t.js';

const textOf = (page: string): string => readFileSync(join(projectFolder, page), 'utf8');
const docs = readdirSync(join(projectFolder, 'docs')).flatMap((name) =>
  name.endsWith('.md') ? [`docs/${name}`] : [],
);
const files = ['adapters', 'core', 'plugins', 'reader', 'test', 'web', 'workers'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => !path.includes('node_modules')),
);
/** The pages that describe a room of the code. */
const rooms = files.filter((path) => path.endsWith('/README.md') && !path.startsWith('plugins/'));
const pages = ['README.md', 'CONTRIBUTING.md', 'plugins/README.md', ...docs, ...rooms];

/** Anchors of headings: lower case, no punctuation, hyphens for spaces. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Links of a page: file or folder from the root, and anchor. */
const linksOf = (page: string): { target: string; place: string | undefined }[] =>
  [...textOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = '']) => {
    const [path = '', place] = link.split('#');
    return { target: path === '' ? page : posix.join(posix.dirname(page), path), place };
  });

t.test('links in the documentation lead to existing pages and sections', async (t) => {
  for (const page of pages)
    for (const { target, place } of linksOf(page)) {
      const isThere = existsSync(join(projectFolder, target));
      t.ok(isThere, `${page}: ${target}`);
      if (place === undefined || !isThere || statSync(join(projectFolder, target)).isDirectory()) continue;
      t.ok(anchorsOf(target).includes(place), `${page}: ${target}#${place}`);
    }
});

t.test('the index leads to every page', async (t) => {
  const led = new Set(linksOf('docs/README.md').map(({ target }) => target));
  for (const page of docs) if (page !== 'docs/README.md') t.ok(led.has(page), page);
});

t.test('the page of a room names files that exist', async (t) => {
  t.ok(rooms.length >= 6);
  for (const room of rooms)
    for (const [, name = ''] of textOf(room).matchAll(/(?<![\w./*-])([\w./-]+\.tsx?)\b/g))
      t.ok(
        existsSync(join(projectFolder, name)) ||
          files.some(
            (path) =>
              (path.startsWith(posix.dirname(room)) || path.startsWith('test/')) && path.endsWith(`/${name}`),
          ),
        `${room}: ${name}`,
      );
});
