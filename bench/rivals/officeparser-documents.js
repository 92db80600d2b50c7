import { readFileSync } from 'node:fs';
import path from 'node:path';
import { read } from './readers/officeparser.js';

export async function round(items) {
  let done = 0;
  for (const file of items) {
    const { text } = await read(new Uint8Array(readFileSync(file)), path.basename(file));
    if (text !== '') done += 1;
  }
  return done;
}
