import { extname } from 'node:path';

/** What a test forks as a worker: the source, or what it is compiled to. */
export const workerScript = new URL(`worker-child${extname(import.meta.filename)}`, import.meta.url);
