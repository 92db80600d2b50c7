import { long, primary, text } from './column.js';
import { table } from './table.js';

/** Row with the time of the last backup, in Unix seconds. */
export const BACKUP = 'backup';

/** Facts about the installation, by name. */
export const meta = table('meta', { name: primary(text()), value: long });
