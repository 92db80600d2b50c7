// Development and tests run from source; threads do not inherit the TypeScript loader of the process that starts them.
import { register } from 'tsx/esm/api';

register();

export const { checkpoint } = await import('./checkpoint.thread.ts');
export const { vacuum } = await import('./vacuum.thread.ts');
export const { readRows } = await import('./read.thread.ts');
