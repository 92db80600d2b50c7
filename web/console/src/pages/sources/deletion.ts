import { signal } from '@preact/signals';
import { asFailure } from '../../api/failure.js';
import { agentPath, ask } from '../../api/request.js';
import type { Source } from '../../api/types.js';
import { confirmDone, UNDO_MS } from '../../parts/announce.js';
import { several } from '../../parts/numbers.js';
import { currentIdentity, type Identity } from '../../session.js';

type Doomed = Pick<Source, 'id' | 'title'>;

interface Deletion {
  agentId: string;
  sources: readonly Doomed[];
  timer: ReturnType<typeof setTimeout>;
  /** As it was when the user confirmed: the user may sign out before the deletion. */
  as: Identity | null;
}

/** The deletion that can still be undone. */
let waiting: Deletion | null = null;

/** Deletion requests by source id that have not been confirmed yet. */
const remaining = new Map<string, () => Promise<unknown>>();

/** Maximum requests sent while the page closes. Browsers drop some if there are more than about 250. */
const MAX_AT_CLOSE = 100;

/** Ids of hidden sources: deleted, or about to be. */
export const deletedSources = signal<ReadonlySet<string>>(new Set());

/** Increases whenever deletions have ended. */
export const deletionsEnded = signal(0);

/** Hides sources immediately. Deletes them when the undo period ends or the page closes. */
export function deleteSources(agentId: string, sources: readonly Doomed[]): void {
  carryOut();
  hide(sources, true);
  waiting = { agentId, sources, timer: setTimeout(carryOut, UNDO_MS), as: currentIdentity() };
  const [first] = sources;
  confirmDone(
    sources.length === 1 && first
      ? `${first.title} is deleted.`
      : sources.length <= MAX_AT_CLOSE
        ? `${several(sources.length, 'source')} are deleted.`
        : `${several(sources.length, 'source')} will be deleted. Keep this page open until they are.`,
    undo,
  );
}

function undo(): void {
  if (!waiting) return;
  clearTimeout(waiting.timer);
  hide(waiting.sources, false);
  confirmDone(`${several(waiting.sources.length, 'source')} kept.`);
  waiting = null;
}

function carryOut(): void {
  if (!waiting) return;
  const { agentId, sources, timer, as } = waiting;
  clearTimeout(timer);
  waiting = null;
  void deleteAll(agentId, sources, as);
}

/** Deletes sequentially, so that other requests of the workspace are not delayed. */
async function deleteAll(agentId: string, sources: readonly Doomed[], as: Identity | null): Promise<void> {
  for (const { id } of sources)
    remaining.set(id, () =>
      ask(agentPath(agentId, 'sources', id), {
        method: 'DELETE',
        ...(as ? { as } : {}),
        keepalive: true,
      }).catch(ignoreGone),
    );
  try {
    for (const { id } of sources) {
      await remaining.get(id)?.();
      remaining.delete(id);
    }
    if (sources.length > MAX_AT_CLOSE) confirmDone(`${several(sources.length, 'source')} were deleted.`);
  } catch (thrown) {
    const kept = sources.filter(({ id }) => remaining.delete(id));
    hide(kept, false);
    confirmDone(`${several(kept.length, 'source')} could not be deleted. ${asFailure(thrown).message}`);
  }
  deletionsEnded.value += 1;
}

function ignoreGone(thrown: unknown): void {
  if (asFailure(thrown).code !== 'RESOURCE_DOCUMENT_NOT_FOUND') throw thrown;
}

function hide(sources: readonly Doomed[], isHidden: boolean): void {
  const ids = new Set(deletedSources.peek());
  for (const { id } of sources)
    if (isHidden) ids.add(id);
    else ids.delete(id);
  deletedSources.value = ids;
}

/** A closing page cannot wait for responses, so send all requests at once. */
addEventListener('pagehide', () => {
  carryOut();
  for (const request of [...remaining.values()].slice(0, MAX_AT_CLOSE)) request().catch(() => {});
});

addEventListener('beforeunload', (event) => {
  if (remaining.size + (waiting?.sources.length ?? 0) > MAX_AT_CLOSE) event.preventDefault();
});
