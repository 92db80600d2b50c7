import { readFileSync } from 'node:fs';
import { installedFile } from './installation.js';
import { configurationReference } from './reference.js';

const defaults: unknown = JSON.parse(readFileSync(installedFile('config/default.json'), 'utf8'));
process.stdout.write(configurationReference(defaults));
