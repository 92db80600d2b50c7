import type { HostileFile } from './input.js';

const MB = 1_000_000;
const text = (content: string) => new Uint8Array(Buffer.from(content));

export const texts: HostileFile[] = [
  { name: 'txt: one line of 50 MB', fileName: 'a.txt', make: () => text('x'.repeat(50 * MB)) },
  { name: 'txt: 50 MB of zeros', fileName: 'a.txt', make: () => new Uint8Array(50 * MB) },
  {
    name: 'txt: 50 MB of noise',
    fileName: 'a.txt',
    make: () => Uint8Array.from({ length: 50 * MB }, (_, i) => 128 + ((i * 2_654_435_761) >>> 25)),
  },
  {
    name: 'txt: 25 million accents on one letter',
    fileName: 'a.txt',
    make: () => text(`a${'\u0315\u0300'.repeat(12 * MB)}`),
  },
  {
    name: 'txt: 16 million signs that come apart',
    fileName: 'a.txt',
    make: () => text('\ufdfa'.repeat(16 * MB)),
  },
  { name: 'md: 12 million code fences', fileName: 'a.md', make: () => text('```\n'.repeat(12 * MB)) },
  { name: 'md: 25 million headings', fileName: 'a.md', make: () => text('# a\n'.repeat(12 * MB)) },
  {
    name: 'md: front matter that never ends',
    fileName: 'a.md',
    make: () => text(`---\n${'a: b\n'.repeat(10 * MB)}`),
  },
  { name: 'md: 50 MB of full stops', fileName: 'a.md', make: () => text('a. '.repeat(16 * MB)) },
];
