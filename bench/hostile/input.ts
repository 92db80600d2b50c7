/** Hostile content, created when it is read. */
export interface HostileInput {
  name: string;
  kind: 'file' | 'page' | 'sitemap' | 'robots';
  /** For files. */
  fileName?: string;
  /** For pages: the compression of the body. */
  contentEncoding?: string;
  make(): Uint8Array;
}

export const file = (fileName: string, name: string, make: () => Uint8Array): HostileInput => ({
  name: `${fileName.slice(2)}: ${name}`,
  kind: 'file',
  fileName,
  make,
});

/** Concatenates `count` parts without an array of them. */
export function repeat(count: number, part: (index: number) => string): string {
  let text = '';
  for (let i = 0; i < count; i++) text += part(i);
  return text;
}
