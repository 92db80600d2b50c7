import { extname } from 'node:path';

/** The script that tests fork as a worker: the source or its compiled version. */
export const workerScript = new URL(`worker-child${extname(import.meta.filename)}`, import.meta.url);
