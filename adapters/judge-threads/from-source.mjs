// Development and tests run from source; threads do not inherit the TypeScript loader of the process that starts them.
import { register } from 'tsx/esm/api';

register();

export const { runTask } = await import('./judge.thread.ts');
