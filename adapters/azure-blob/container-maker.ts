import type { ContainerClient } from '@azure/storage-blob';
import type { Role } from '../../core/ports/plugin.port.js';

/**
 * Creates the container if it is missing, once. After a failure, the next caller retries and waits at most `withinMs`.
 * Rejects with the SDK's error. Not used by workers.
 */
export function containerMaker(
  client: Pick<ContainerClient, 'exists' | 'createIfNotExists'>,
  role: Role,
): (withinMs: number) => Promise<void> {
  let isThere = role === 'worker';
  return async (withinMs) => {
    if (isThere) return;
    const abortSignal = AbortSignal.timeout(withinMs);
    // An identity may be allowed to use containers, but not to create them.
    if (!(await client.exists({ abortSignal }))) await client.createIfNotExists({ abortSignal });
    isThere = true;
  };
}
