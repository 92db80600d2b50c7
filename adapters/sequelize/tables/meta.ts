import { long, primary, text } from './column.js';
import { table } from './table.js';

/** Facts about the installation, by name. */
export const meta = table('meta', { name: primary(text()), value: long });
