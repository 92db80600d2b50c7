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

/** Another file of a site, as it came over the wire. */
export interface HostileSiteFile {
  name: string;
  kind: 'sitemap' | 'robots';
  make(): Uint8Array;
}

/** `count` times what `part` gives, without a list of all. */
export function repeat(count: number, part: (index: number) => string): string {
  let text = '';
  for (let i = 0; i < count; i++) text += part(i);
  return text;
}
