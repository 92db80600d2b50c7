import type { Caller } from '../auth/authenticate.js';
import type { MemoryShare } from './memory-budget.js';

/*
 * Outer owners have larger shares, so that no inner owner can use them up. The shares of visitors are small, because
 * visitors need little memory. A single address cannot use up the share of a workspace's visitors.
 */

/** Returns the share of an address of visitors. */
export const addressShare = (network: string): MemoryShare => ({
  owner: `address ${network}`,
  ofFree: 1 / 3,
});

/**
 * Returns the owners of a request's memory, the innermost first: the key or member and its workspace, or the visitor, its address
 * and the visitors of the workspace.
 */
export function memorySharesOf(
  { key, member, visitor, share }: Pick<Caller, 'key' | 'member' | 'visitor' | 'share'>,
  network: () => string,
): [MemoryShare, ...MemoryShare[]] {
  if (visitor)
    return [
      { owner: `visitor ${visitor.agentId} ${visitor.userId}`, ofFree: 1 / 4 },
      addressShare(network()),
      { owner: share, ofFree: 2 },
    ];
  return [
    { owner: key ? `key ${key.id}` : `member ${member?.id}`, ofFree: 1 },
    { owner: share, ofFree: 2 },
  ];
}
