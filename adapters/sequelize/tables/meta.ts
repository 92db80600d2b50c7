import { long, primary, text } from './column.js';
import { table } from './table.js';

/** What the installation knows of itself, by name. */
export const meta = table('meta', { name: primary(text()), value: long });
