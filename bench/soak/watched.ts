import type { Sample } from './load.js';

/** What must not grow, and what it is called. */
export const watched = {
  apiMb: ['memory of the API', 'MB'],
  workerMb: ['memory of the worker', 'MB'],
  readP99Ms: ['p99 of GET agent', 'ms'],
  acceptP99Ms: ['p99 of POST url', 'ms'],
  outbox: ['tasks in the outbox', ''],
  mailboxes: ['messages in mailboxes', ''],
} as const satisfies Partial<Record<keyof Sample, readonly [string, string]>>;

/** The `what` of its lines. */
export const soakWhat = (key: keyof typeof watched): string => `${watched[key][0]}, under load`;
