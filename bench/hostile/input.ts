import type { PageInput } from '../../workers/extract/reading.js';

/** A hostile file, made when its turn comes. */
export interface HostileFile {
  name: string;
  fileName: string;
  make(): Uint8Array;
}

/** A hostile page, as it came over the wire. */
export interface HostilePage {
  name: string;
  contentEncoding: string;
  make(): PageInput;
}

/** `count` times what `part` gives, without a list of all. */
export function repeat(count: number, part: (index: number) => string): string {
  let text = '';
  for (let i = 0; i < count; i++) text += part(i);
  return text;
}
