import { setTimeout as pause } from 'node:timers/promises';
import { pluginBaseDir } from '../config/load-settings.js';
import type { Queue } from '../core/ports/queue.port.js';
import { adoptStorage, storageOwner } from '../core/workspaces/installation-claim.js';
import { installationId, shortId } from '../core/workspaces/installation-id.js';
import { ALIVE_MS, aliveProcesses, forgetProcesses } from '../core/workspaces/presence.js';
import { type LoadedPlugins, loadPlugins } from '../plugins/load-plugins.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { reasonOf, whileStarted } from './started-plugin.js';

/**
 * Time limit for connecting to the queue. The broker may close connections while it deletes the old claim, so there may
 * be several attempts.
 */
const CONNECT_MS = 30_000;
const POLL_MS = 100;

interface Adopting {
  installation: Installation;
  loaded: Pick<LoadedPlugins, 'storage' | 'queue'>;
  secret: Uint8Array;
  id: string;
}

/**
 * Claims the configured storage and queue, even if another installation has claimed them. Throws ADOPTION_FAILED, or
 * INSTALLATION_ALIVE unless `force`.
 */
export async function adoptInstallation(installation: Installation, { force }: { force: boolean }) {
  const { settings, store } = installation;
  const baseDir = pluginBaseDir({ env: process.env, cwd: process.cwd() });
  const loaded = await loadPlugins(settings.plugins, { baseDir, kinds: ['storage', 'queue'] });
  const secret = await store.secret();
  const id = installationId(secret);
  const adopting: Adopting = { installation, loaded, secret, id };
  try {
    if (!force) await mustNotBeAlive(adopting);
    const before = await whileStarted('storage', loaded.storage, { settings, secret }, async (storage) => {
      const owner = await storageOwner(storage);
      await adoptStorage(storage, id);
      if (owner !== id) await forgetProcesses(storage);
      return owner;
    });
    await withQueue(adopting, { adopts: true }, async () => {});
    const adoptedFrom = before === null || before === id ? null : shortId(before);
    return { installation: shortId(id), adoptedFrom };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('ADOPTION_FAILED', `The storage and the queue were not adopted: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

/** Throws INSTALLATION_ALIVE if the storage or the queue belongs to another installation with a running API process. */
async function mustNotBeAlive(adopting: Adopting): Promise<void> {
  const { installation, loaded, secret, id } = adopting;
  const { settings, clock } = installation;
  const inStorage = await whileStarted('storage', loaded.storage, { settings, secret }, async (storage) => {
    const owner = await storageOwner(storage);
    const isOurs = owner === null || owner === id;
    return isOurs ? [] : aliveProcesses(storage, clock.now());
  });
  if (inStorage.length > 0)
    throw alive(`Its processes ${inStorage.join(', ')} reported in the last ${ALIVE_MS / 1000} s`);
  if (await hasQueue(adopting)) return;
  const listeners = await withQueue(adopting, null, async (queue) => (await queue.depth()).listeners ?? 0);
  if (listeners > 0) throw alive(`${listeners} of its API processes listen on the queue`);
}

const alive = (how: string): CliError =>
  new CliError('INSTALLATION_ALIVE', `Another installation works with this storage or queue. ${how}.`);

/** Returns whether the queue belongs to this installation or has not been claimed. */
const hasQueue = (adopting: Adopting): Promise<boolean> =>
  withQueue(adopting, { adopts: false }, async () => true).catch(() => false);

/** Connects to the queue, with or without a claim. A queue without remote workers belongs to its API process. */
async function withQueue<T>(
  { installation: { settings }, loaded, secret, id }: Adopting,
  claim: { adopts: boolean } | null,
  work: (queue: Queue) => Promise<T>,
): Promise<T> {
  const lent = claim ? { claim: { installation: async () => id, ...claim } } : {};
  return whileStarted('queue', loaded.queue, { settings, secret, lent }, async (queue) => {
    const deadline = performance.now() + CONNECT_MS;
    while (queue.capabilities.remoteWorkers) {
      const health = await queue.health();
      if (health.ok) break;
      if (performance.now() > deadline) throw new Error(health.reason);
      await pause(POLL_MS);
    }
    return work(queue);
  });
}
