import { setTimeout as pause } from 'node:timers/promises';
import { pluginBaseDir } from '../config/load-settings.js';
import { adoptStorage, storageOwner } from '../core/workspaces/installation-claim.js';
import { installationId, shortId } from '../core/workspaces/installation-id.js';
import { loadPlugins } from '../plugins/load-plugins.js';
import { CliError } from './cli-error.js';
import type { Installation } from './installation.js';
import { reasonOf, whileStarted } from './started-plugin.js';

/** Time for the queue to connect, again if the broker closes the first connection. */
const CONNECT_MS = 10_000;
const POLL_MS = 100;

/** Claims the configured storage and queue, also from another installation. Throws ADOPTION_FAILED. */
export async function adoptInstallation({ settings, store }: Installation) {
  const baseDir = pluginBaseDir({ env: process.env, cwd: process.cwd() });
  const loaded = await loadPlugins(settings.plugins, { baseDir, kinds: ['storage', 'queue'] });
  const secret = await store.secret();
  const id = installationId(secret);
  try {
    const before = await whileStarted('storage', loaded.storage, { settings, secret }, async (storage) => {
      const owner = await storageOwner(storage);
      await adoptStorage(storage, id);
      return owner;
    });
    const claim = { installation: async () => id, adopts: true };
    await whileStarted('queue', loaded.queue, { settings, secret, lent: { claim } }, async (queue) => {
      // A queue without remote workers belongs to its API process.
      if (!queue.capabilities.remoteWorkers) return;
      const deadline = performance.now() + CONNECT_MS;
      for (;;) {
        const health = await queue.health();
        if (health.ok) return;
        if (performance.now() > deadline) throw new Error(health.reason);
        await pause(POLL_MS);
      }
    });
    const adoptedFrom = before === null || before === id ? null : shortId(before);
    return { installation: shortId(id), adoptedFrom };
  } catch (error) {
    throw new CliError('ADOPTION_FAILED', `The storage and the queue were not adopted: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}
