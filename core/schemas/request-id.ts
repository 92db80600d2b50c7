import { randomUUID } from 'node:crypto';

/** Ids that clients may choose: short and plain enough to be echoed and logged. */
export const requestIdPattern = '^[A-Za-z0-9._-]{1,128}$';
const acceptable = new RegExp(requestIdPattern);

/** What the client sent as `x-request-id` when it fits the pattern; else a fresh one. */
export const requestIdOf = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID();
