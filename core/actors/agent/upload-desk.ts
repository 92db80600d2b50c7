import type { UploadDesk } from '../../ports/plugin.port.js';
import type { ArrivingUploads } from '../../ports/store/sweeps.js';
import { type ThreadShares, threadShares } from '../../tasks/thread-shares.js';

/** What a storage that receives uploads asks of this installation. */
export function uploadDesk(
  arrivals: ArrivingUploads,
  mostBytes: number,
  thread: Pick<ThreadShares, 'underWay' | 'begin' | 'worksFor'> = threadShares,
): UploadDesk {
  /** Of uploads under way. Two may share a path. */
  const owners = new Map<string, { workspaceId: string; ends: (() => void)[] }>();

  function begun(path: string, workspaceId: string): void {
    const owner = owners.get(path) ?? { workspaceId, ends: [] };
    owner.ends.push(thread.underWay(workspaceId));
    owners.set(path, owner);
  }

  function over(path: string): void {
    const owner = owners.get(path);
    owner?.ends.pop()?.();
    if (owner?.ends.length === 0) owners.delete(path);
  }

  return {
    async begin(path, bytes) {
      // First: where this cannot be read, nothing is counted that nobody would take back.
      const workspaceId = await arrivals.workspaceOf(path);
      if (workspaceId === null) return 'closed';
      const answer = await arrivals.begin(path, bytes, mostBytes);
      if (answer === 'welcome') begun(path, workspaceId);
      return answer;
    },
    more: (path, bytes) => arrivals.begin(path, bytes, mostBytes),
    piece(path) {
      const owner = owners.get(path);
      if (!owner) return undefined;
      const { workspaceId } = owner;
      const turn = thread.begin(workspaceId);
      if (turn) return turn.then(() => thread.worksFor(workspaceId));
      thread.worksFor(workspaceId);
      return undefined;
    },
    async end(path, bytes, stored) {
      // When the database is away at the end of an upload, it is ended once more, as one that stored nothing.
      let isLast = stored === null;
      try {
        const isOpen = await arrivals.end(path, bytes, stored);
        isLast = true;
        return isOpen;
      } finally {
        if (isLast) over(path);
      }
    },
  };
}
