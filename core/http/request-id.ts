import { randomUUID } from 'node:crypto';
import { limits } from '../schemas/limits.js';

const acceptable = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestId}}$`);

/** What the client sent, when it is short and plain enough to be echoed and logged; else a fresh one. */
export const requestIdOf = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID();
