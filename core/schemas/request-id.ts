import { randomUUID } from 'node:crypto';

/** Ids that clients may choose, safe for headers and logs. */
export const requestIdPattern = '^[A-Za-z0-9._-]{1,128}$';
const acceptable = new RegExp(requestIdPattern);

/** Returns the client's `x-request-id` if it matches the pattern; otherwise a new id. */
export const requestIdOf = (sent: string | string[] | undefined): string =>
  typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID();
