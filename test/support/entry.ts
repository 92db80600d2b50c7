import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './project-folder.js';

const sources = ['adapters', 'cli', 'config', 'core', 'plugins', 'processes', 'reader', 'workers'];

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => statSync(join(projectFolder, folder, name)).mtimeMs),
  );

/** Written last by `npm run build`, even if little has changed. */
const built = join(projectFolder, 'dist/.tsbuildinfo');

const isCurrent = existsSync(built) && statSync(built).mtimeMs > Math.max(...sources.map(newest));

/** Arguments to run a program with Node: the build, as operators do, or the sources if they are newer. */
export const nodeArguments = (program: 'main' | 'cli/main'): string[] =>
  isCurrent ? [`dist/${program}.js`] : ['--import=tsx', `${program}.ts`];
