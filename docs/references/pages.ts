import { readFileSync } from 'node:fs';
import { installedFile } from '../../config/installation.js';
import { configurationReference } from '../../config/reference.js';
import { sourceMetadataReference } from '../../core/knowledge/source-metadata-reference.js';
import { cliReference } from './cli.js';
import { errorsReference } from './errors.js';
import { metricsReference } from './metrics.js';

const defaults = (): unknown => JSON.parse(readFileSync(installedFile('config/default.json'), 'utf8'));

const made = '<!-- Made by `npm run docs`: change its source instead. -->';

/** Every page of docs/ that is made from the program, by file name: its text. */
export const pages: Readonly<Record<string, () => string>> = {
  'cli.md': cliReference,
  'configuration.md': () => configurationReference(defaults()),
  'errors.md': errorsReference,
  'metrics.md': metricsReference,
  'source-metadata.md': sourceMetadataReference,
};

/** The whole file, with a note for whoever would edit it. */
export const pageText = (name: string): string => `${made}\n\n${pages[name]?.().trimEnd()}\n`;
