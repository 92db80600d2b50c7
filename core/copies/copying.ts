import { v7 as uuidv7 } from 'uuid';
import { emptyAgent } from '../actors/agent/empty-agent.js';
import { jobSummary } from '../actors/agent/jobs/job-summary.js';
import { firstRetrain } from '../actors/agent/profile/apply-settings.js';
import { withPictures } from '../agent-settings/picture-fields.js';
import type { Sweep } from '../jobs/sweeper.js';
import { createWorkRounds } from '../jobs/work-rounds.js';
import { pictureHash, picturePath } from '../knowledge/pictures.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Storage } from '../ports/storage.port.js';
import type { CopiedDocument, CopyClaim, CopyLease, CopyStep } from '../ports/store/agents/copies.js';
import type { Store } from '../ports/store/store.port.js';
import type { Workspace } from '../ports/store/workspaces.js';
import type { Entitlements } from '../workspaces/entitlements.js';

/** Another process continues a copy that has made no progress for this long. */
export const COPY_LEASE_MS = 60_000;
const ROUND_MS = 1000;
/** Copies in progress per process. Each holds one file in memory. */
const AT_ONCE = 1;
/** Pause after a failed attempt. */
const AGAIN_MS = 5000;
/** Attempts without progress. */
const MOST_TRIES = 10;

export interface Copying {
  /** Checks for new copies now. */
  soon(): void;
  sweeps: Sweep[];
  /** Stops. Another process continues the copies in progress. */
  stop(): Promise<void>;
}

interface CopyingOptions {
  store: Pick<Store, 'copies' | 'pictures' | 'uploads'>;
  storage: Pick<Storage, 'get' | 'put'>;
  entitlementsOf: (workspace: Workspace) => Entitlements;
  clock: Clock;
  log: Log;
}

/**
 * Makes the copies of agents, in every API process. Each step is one transaction, so that a copy continues in another process
 * after a kill, and the new agent appears with the last step.
 */
export function createCopying({ store, storage, entitlementsOf, clock, log }: CopyingOptions): Copying {
  const { copies } = store;
  const stopping = new AbortController();

  const lease = (): CopyLease => ({
    untilMs: clock.now() + COPY_LEASE_MS,
    limitOf: (workspace) => entitlementsOf(workspace).limits.storageBytes,
  });

  /** Discards new objects unless the step has stored their rows. After an error, it may have. */
  async function withObjects(paths: readonly string[], step: () => Promise<CopyStep>): Promise<CopyStep> {
    const result = await step();
    if (result !== 'done' && paths.length > 0)
      await store.uploads.addDiscards([...paths], seconds(clock.now()));
    return result;
  }

  async function copyObject(from: string, to: string): Promise<boolean> {
    const bytes = await storage.get(from);
    if (bytes) await storage.put(to, bytes);
    return bytes !== null;
  }

  /** Returns the new hash of each picture of the source, or how the step ended. */
  async function copyPictures(claim: CopyClaim): Promise<Map<string, string> | CopyStep> {
    const { agentId, sourceId } = claim;
    const hashes = new Map<string, string>();
    const known = new Set((await store.pictures.of(agentId)).map(({ hash }) => hash));
    for (const { hash: before, ...picture } of await store.pictures.of(sourceId)) {
      const bytes = await storage.get(picture.storagePath);
      // The picture was deleted in the meantime.
      if (!bytes) continue;
      const hash = pictureHash(agentId, bytes);
      hashes.set(before, hash);
      if (known.has(hash)) continue;
      const storagePath = picturePath(agentId);
      await storage.put(storagePath, bytes);
      const copy = { ...picture, hash, storagePath };
      const step = await withObjects([storagePath], () => copies.addPicture(claim, copy, lease()));
      if (step !== 'done') return step;
    }
    return hashes;
  }

  async function copyDocuments(claim: CopyClaim): Promise<CopyStep> {
    for (let { copiedUpTo } = claim; ; ) {
      if (stopping.signal.aborted) return 'lost';
      const next = await copies.nextDocuments({ ...claim, copiedUpTo });
      if (next.length === 0) return 'done';
      const documents: CopiedDocument[] = [];
      for (const { id, storagePath } of next) {
        const path = storagePath && newPath(claim.agentId, storagePath);
        const isKept = path !== null && (await copyObject(storagePath ?? '', path));
        documents.push({ id, newId: uuidv7(), storagePath: isKept ? path : null });
      }
      const paths = documents.flatMap(({ storagePath }) => storagePath ?? []);
      const step = await withObjects(paths, () => copies.addDocuments(claim, documents, lease()));
      if (step !== 'done') return step;
      copiedUpTo = next.at(-1)?.id ?? copiedUpTo;
    }
  }

  async function copy(claim: CopyClaim): Promise<CopyStep> {
    if (claim.tries > MOST_TRIES) return 'gone';
    const pictures = await copyPictures(claim);
    if (!(pictures instanceof Map)) return pictures;
    const copied = await copyDocuments(claim);
    if (copied !== 'done') return copied;
    const now = clock.now();
    const { agentId: id, workspaceId, name, url } = claim;
    const settings = withPictures(claim.settings, (hash) => pictures.get(hash) ?? null);
    const agent = emptyAgent({ id, workspaceId, name, url, createdAt: seconds(now) });
    return copies.finish(claim, {
      settings,
      agent: { ...agent, ...firstRetrain(settings, now) },
      now: seconds(now),
      eventOf: (job) => ({
        type: 'job.completed',
        at: seconds(now),
        data: { agentId: id, job: jobSummary(job) },
      }),
    });
  }

  async function work(claim: CopyClaim): Promise<void> {
    try {
      const step = await copy(claim);
      if (step === 'gone' || step === 'full') await copies.abandon(claim);
      if (step === 'lost') await copies.release(claim, clock.now());
    } catch (error) {
      const { agentId, sourceId } = claim;
      log.warn({ err: error, agentId, sourceId }, 'a step of a copy failed; it is tried again');
      await copies.release(claim, clock.now() + AGAIN_MS);
    }
  }

  const rounds = createWorkRounds({
    async claim() {
      const nowMs = clock.now();
      const untilMs = nowMs + COPY_LEASE_MS;
      const claim = await copies.claim({ token: uuidv7(), nowMs, untilMs });
      return claim ? [claim] : [];
    },
    work,
    atOnce: AT_ONCE,
    perRound: AT_ONCE,
    log,
  });

  return {
    soon: () => rounds.soon(),
    sweeps: [{ name: 'copies', everyMs: ROUND_MS, run: rounds.round }],
    async stop() {
      stopping.abort();
      await rounds.stop();
    },
  };
}

/** Keeps the extension, which names the type of the file. */
const newPath = (agentId: string, path: string): string =>
  `agents/${agentId}/${uuidv7()}${/\.[A-Za-z0-9]+$/.exec(path)?.[0] ?? ''}`;
