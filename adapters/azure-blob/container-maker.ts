import type { ContainerClient } from '@azure/storage-blob';
import type { Role } from '../../core/ports/plugin.port.js';

/**
 * Makes sure that the container is there, once. After a failure the next caller tries again, and waits
 * `withinMs` at most. Rejects with what the SDK says. A worker makes none.
 */
export function containerMaker(
  client: Pick<ContainerClient, 'exists' | 'createIfNotExists'>,
  role: Role,
): (withinMs: number) => Promise<void> {
  let isThere = role === 'worker';
  return async (withinMs) => {
    if (isThere) return;
    const abortSignal = AbortSignal.timeout(withinMs);
    // An identity may be allowed to use the container and not to make one.
    if (!(await client.exists({ abortSignal }))) await client.createIfNotExists({ abortSignal });
    isThere = true;
  };
}
