import { cpSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import dockerignore from '@balena/dockerignore';
import { projectFile, projectFolder } from '../support/project-folder.js';
import { dockerfile, textOf } from './deployment.js';

const ignored = dockerignore.default({ ignorecase: false }).add(textOf('.dockerignore'));

export const isInBuildContext = (file: string): boolean => !ignored.ignores(file);

/** Copies the build context into `folder`: the project without the files that .dockerignore excludes. */
export function copyBuildContext(folder: string): void {
  const withoutPackages = (name: string): boolean => name !== 'node_modules' && name !== '.git';
  const files = readdirSync(projectFolder)
    .filter(withoutPackages)
    .flatMap((name) => filesBelow(join(projectFolder, name), withoutPackages));
  for (const file of files.map((path) => relative(projectFolder, path)))
    if (isInBuildContext(file)) cpSync(projectFile(file), join(folder, file), { recursive: true });
}

function filesBelow(path: string, enters: (name: string) => boolean): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter(enters)
    .flatMap((name) => filesBelow(join(path, name), enters));
}

/** Files of the build context that match a COPY; `*` may occur in a file's name. */
function sourcesOf(context: string, pattern: string): string[] {
  if (!pattern.includes('*')) return [pattern];
  const [start = '', end = ''] = pattern.slice(pattern.lastIndexOf('/') + 1).split('*');
  const folder = dirname(pattern);
  return readdirSync(join(context, folder))
    .filter((name) => name.startsWith(start) && name.endsWith(end))
    .map((name) => `${folder}/${name}`);
}

/** Top-level packages that `npm ci --omit=dev` installs. */
function productionPackages(): string[] {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(textOf('package-lock.json'));
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path.lastIndexOf('node_modules/') === 0 && dev !== true)
    .map(([path]) => path.slice('node_modules/'.length));
}

/** Copies into `folder` exactly what the last stage of the Dockerfile copies from a built context. */
export function assembleImage(context: string, folder: string): void {
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
      cpSync(join(context, target), join(folder, target), { recursive: true });
    } else {
      for (const source of [first, ...others].flatMap((pattern) => sourcesOf(context, pattern)))
        cpSync(join(context, source), join(folder, target, source.slice(source.lastIndexOf('/') + 1)));
    }
  }
}
