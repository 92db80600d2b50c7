import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedFile } from '../../config/installation.js';

/** The folder of this project; the same for sources and compiled tests. */
export const projectFolder = dirname(installedFile('package-lock.json'));

/** A file of the project, e.g. `config/default.json`. */
export const projectFile = (path: string): URL => new URL(path, pathToFileURL(`${projectFolder}/`));
