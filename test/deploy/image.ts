import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../support/project-folder.js';
import { dockerfile, textOf } from './deployment.js';

/** Files of the build context that a COPY names; `*` may stand in a file's name. */
function sourcesOf(pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  const [start = '', end = ''] = pattern.slice(pattern.lastIndexOf('/') + 1).split('*');
  const folder = dirname(pattern);
  return readdirSync(projectFile(folder))
    .filter((name) => name.startsWith(start) && name.endsWith(end))
    .map((name) => `${folder}/${name}`);
}

/** Packages that `npm ci --omit=dev` installs at the top. */
function productionPackages(): string[] {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(textOf('package-lock.json'));
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path.lastIndexOf('node_modules/') === 0 && dev !== true)
    .map(([path]) => path.slice('node_modules/'.length));
}

/** Puts into a folder what the last stage of the Dockerfile copies into the image, and nothing else. */
export function assembleImage(folder: string): void {
  const copies = dockerfile().filter(({ stage, word }) => stage === 'cadre' && word === 'COPY');
  for (const { rest } of copies) {
    const [first = '', ...others] = rest.split(' ');
    const target = others.pop() ?? '';
    if (first === '--from=production-dependencies') {
      for (const name of productionPackages()) {
        mkdirSync(dirname(join(folder, target, name)), { recursive: true });
        symlinkSync(fileURLToPath(projectFile(`node_modules/${name}`)), join(folder, target, name));
      }
    } else if (first === '--from=build') {
      cpSync(projectFile(target), join(folder, target), { recursive: true });
    } else {
      for (const source of [first, ...others].flatMap(sourcesOf))
        cpSync(projectFile(source), join(folder, target, source.slice(source.lastIndexOf('/') + 1)));
    }
  }
}
