import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../core/ports/clock.port.js';
import { AgentGone } from '../core/ports/store/store-errors.js';
import type { Installation } from './installation.js';
import { ownAgents } from './own-agents.js';

const PAGE = 100;
const MOST_REMAINS = 100_000;

/**
 * Deletes a workspace with all its data: first its keys, so that clients cannot add data; then each agent as the API
 * does; then copies in progress, remaining rows and credits. A running server deletes the files from the storage. Can be
 * repeated after an interruption. `onProgress` receives the numbers of deleted agents and rows.
 */
export async function deleteWorkspace(
  installation: Installation,
  workspaceId: string,
  { note, onProgress }: { note: (text: string) => void; onProgress: (agents: number, rows: number) => void },
): Promise<{ agents: number; keys: number }> {
  const { store, settings, clock } = installation;
  const now = () => seconds(clock.now());
  const keys = (await store.workspaces.keys(workspaceId)).filter(({ revokedAt }) => revokedAt === null);
  for (const { id } of keys) await store.workspaces.revokeKey(workspaceId, id, now());
  if (keys.length > 0) {
    note(`Its keys are revoked. Servers refuse them within ${settings.auth.cacheTtlSeconds} seconds.`);
    await sleep(settings.auth.cacheTtlSeconds * 1000);
  }
  const agents = ownAgents(installation);
  let deleted = 0;
  for (;;) {
    const page = await store.reads.agents(workspaceId, { limit: PAGE, before: null });
    for (const { id } of page) {
      await agents.send(id, { kind: 'delete' }).catch((error: unknown) => {
        if (!(error instanceof AgentGone)) throw error;
      });
      deleted += 1;
      onProgress(deleted, 0);
    }
    if (page.length === 0) break;
  }
  await store.copies.abandonAll(workspaceId);
  let rows = 0;
  for (;;) {
    const left = (await store.remains.list(now(), MOST_REMAINS)).filter(
      (one) => one.workspaceId === workspaceId,
    );
    if (left.length === 0) break;
    for (const one of left) {
      rows += await store.remains.clear(one, now());
      onProgress(deleted, rows);
    }
  }
  await store.workspaces.remove(workspaceId);
  return { agents: deleted, keys: keys.length };
}
