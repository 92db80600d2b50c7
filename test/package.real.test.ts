import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from './support/project-folder.js';
import t from './support/t.js';

/* What is inside of the package that `npm pack` makes. */

const root = projectFile('');
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const pack = ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'];
const printed = execFileSync('npm', pack, { cwd: fileURLToPath(root), encoding: 'utf8', stdio: 'pipe' });
const [packed] = JSON.parse(printed) as { files: { path: string }[] }[];
const files = new Set(packed?.files.map(({ path }) => path));

const holds = (target: string): boolean =>
  files.has(target) || [...files].some((path) => path.startsWith(`${target.replace(/\/$/, '')}/`));

/** Files and folders to which a page leads, from the root of the package. */
const linksOf = (page: string): string[] =>
  [...textOf(page).matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, link = '']) =>
    posix.normalize(posix.join(posix.dirname(page), link)),
  );

t.test('whoever reads it finds what its pages lead to', (t) => {
  const pages = [...files].filter((path) => path.endsWith('.md'));
  t.ok(pages.includes('README.md') && pages.includes('docs/operating.md'));
  const missing = pages.flatMap((page) => linksOf(page).filter((link) => !holds(link)));
  t.same(missing, []);
  t.end();
});

t.test('a link that leads nowhere is noticed', (t) => {
  t.notOk(holds('docs/no-such-page.md'));
  t.ok(linksOf('README.md').includes('docs/architecture.md'));
  t.end();
});

t.test('the command `cadre` is there, and says how to run it', (t) => {
  const { bin } = JSON.parse(textOf('package.json')) as { bin: Record<string, string> };
  t.same(bin, { cadre: './dist/cli/main.js' });
  t.match(textOf('cli/main.ts'), /^#!\/usr\/bin\/env node\n/);
  if (existsSync(new URL('dist', root))) t.ok(files.has('dist/cli/main.js'));
  const pages = [
    'console/index.html',
    'docs/index.html',
    'docs/LICENSE.txt',
    'widget/widget.js',
    'widget/page.html',
  ];
  for (const page of pages) if (existsSync(new URL('dist/docs', root))) t.ok(files.has(`dist/${page}`), page);
  t.end();
});
