import { existsSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../rivals');

/** Where a program of the rivals' package is. */
export const rival = (name: string): string => path.join(folder, name);

/** Whether the rivals are installed; says how to get them when they are not. */
export function rivalsAreHere(): boolean {
  const here = existsSync(path.join(folder, 'node_modules'));
  if (!here) console.log('Measured without rivals. To have them beside: npm ci --prefix bench/rivals\n');
  return here;
}
