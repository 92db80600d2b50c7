/**
 * Returns whether the same request may succeed later: there was no response (`null`), a limit applies for a time, or
 * the service or a proxy failed. All other refusals are final.
 */
export const mayRetry = (status: number | null): boolean =>
  status === null || status === 408 || status === 429 || status >= 500;
