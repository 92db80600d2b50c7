import type { Caller } from './authenticate.js';
import type { MemoryShare } from './memory-budget.js';

/** Shares of an address of visitors. Outer owners have larger ones, so that no inner owner can use them up. */
export const addressShare = (network: string): MemoryShare => ({ owner: `address ${network}`, ofFree: 0.75 });

/**
 * Returns the owners of a request's memory, the innermost first: the key and its workspace, or the visitor, its address
 * and the visitors of the workspace.
 */
export function memorySharesOf(
  { key, visitor, share }: Pick<Caller, 'key' | 'visitor' | 'share'>,
  network: () => string,
): [MemoryShare, ...MemoryShare[]] {
  if (visitor)
    return [
      { owner: `visitor ${visitor.agentId} ${visitor.userId}`, ofFree: 0.5 },
      addressShare(network()),
      { owner: share, ofFree: 1 },
    ];
  return [
    { owner: `key ${key?.id}`, ofFree: 1 },
    { owner: share, ofFree: 2 },
  ];
}
