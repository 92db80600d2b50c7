import type { ContainerClient } from '@azure/storage-blob';
import type { Role } from '../../core/ports/plugin.port.js';

/**
 * Sees to it that the container is there, once; a storage that was away is asked again by whoever comes next, who waits `withinMs` at most.
 * Rejects with what the SDK says. A worker makes none.
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
