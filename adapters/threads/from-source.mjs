// Development and tests run from source; threads do not inherit the TypeScript loader of the process that starts them.
import { register } from 'tsx/esm/api';

register();

export const checkSchemas = async (task) => (await import('./schema.thread.ts')).checkSchemas(task);
export const indexLongText = async (task) => (await import('./index.thread.ts')).indexLongText(task);
export const runTask = async (task) => (await import('./judge.thread.ts')).runTask(task);
