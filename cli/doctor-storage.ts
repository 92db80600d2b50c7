import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../config/settings.schema.js';
import { seconds } from '../core/ports/clock.port.js';
import type { Health } from '../core/ports/health.js';
import type { Storage } from '../core/ports/storage.port.js';
import { checkStorageClaim, storageOwner, UNCLAIMED } from '../core/workspaces/installation-claim.js';
import { installationId, shortId } from '../core/workspaces/installation-id.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import type { Checked, Identity } from './checked.js';
import { reasonOf, whileStarted } from './started-plugin.js';

const PUT_MS = 15_000;
const URL_SECONDS = 300;
const bytes = Buffer.from('Cadre looks whether uploads work.');

export interface StorageDiagnosis {
  storage: Checked;
  /** Describes another installation that has claimed the storage; null if there is none or it is unknown. */
  sharedStorage: string | null;
}

/** The owner of the storage: an installation, none yet, or the reason why it is unknown. */
export type Ownership = { installation: string } | { unclaimed: true } | { unknown: string };

const failed = (reason: string) => ({
  storage: { ok: false as const, reason },
  sharedStorage: null,
  ownership: { unknown: 'the storage cannot be used' },
});

/**
 * Uploads a test object as a client does (signed URL, PUT, sealing, reading), then writes and deletes objects as a
 * worker does. Deletes the test objects. The reason names the failed step. Without the installation's secret, only a
 * failure is certain.
 */
export async function askStorage(
  settings: Settings,
  loaded: LoadedPlugin<'storage'>,
  identity: Identity,
): Promise<StorageDiagnosis & { ownership: Ownership }> {
  const secret = 'secret' in identity ? identity.secret : randomBytes(32);
  try {
    return await whileStarted('storage', loaded, { settings, secret }, async (storage) => {
      const health = await tryUpload(storage);
      if (!health.ok) return failed(health.reason);
      return askOwner(storage, identity);
    });
  } catch (error) {
    return failed(reasonOf(error));
  }
}

async function askOwner(
  storage: Storage,
  identity: Identity,
): Promise<StorageDiagnosis & { ownership: Ownership }> {
  if ('unknown' in identity) {
    const { unknown } = identity;
    const reason = `uploads work, but whether it belongs to this installation cannot be checked: ${unknown}`;
    return { storage: { ok: null, reason }, sharedStorage: null, ownership: { unknown } };
  }
  const installation = installationId(identity.secret);
  const claim = await checkStorageClaim(storage, installation);
  if (!claim.ok)
    return {
      storage: { ok: true },
      sharedStorage: claim.reason,
      ownership: { unknown: 'the storage belongs to another installation' },
    };
  const isClaimed = (await storageOwner(storage)) !== null;
  return {
    storage: { ok: true },
    sharedStorage: null,
    ownership: isClaimed ? { installation } : { unclaimed: true },
  };
}

/** Writes, reads and deletes a test object, and reads which installation owns the storage and thus the worker. */
export async function askStorageOfWorker(
  settings: Settings,
  loaded: LoadedPlugin<'storage'>,
): Promise<Pick<StorageDiagnosis, 'storage'> & { installation: string | null; ownership: Ownership }> {
  const unusable = (reason: string) => {
    const { storage, ownership } = failed(reason);
    return { storage, ownership, installation: null };
  };
  try {
    return await whileStarted('storage', loaded, { settings, role: 'worker' }, async (storage) => {
      const health = await tryObject(storage);
      if (!health.ok) return unusable(health.reason);
      const owner = await storageOwner(storage);
      if (owner === null) return unusable(UNCLAIMED);
      return {
        storage: { ok: true as const },
        installation: shortId(owner),
        ownership: { installation: owner },
      };
    });
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

/** Runs the steps of a check on a test object, and names the step that fails. */
async function trying(
  storage: Storage,
  steps: (path: string, next: (step: string) => void) => Promise<void>,
): Promise<Health> {
  const health = await storage.health();
  if (!health.ok) return health;
  const path = `doctor/${randomUUID()}`;
  let current = '';
  try {
    await steps(path, (step) => {
      current = step;
    });
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: `${current} failed: ${reasonOf(error)}` };
  } finally {
    await storage.delete(path).catch(() => {});
  }
}

const tryObject = (storage: Storage): Promise<Health> =>
  trying(storage, (path, next) => writeReadDelete(storage, path, next));

const tryUpload = (storage: Storage): Promise<Health> =>
  trying(storage, async (path, next) => {
    next('signing an upload URL');
    const server = storage.receive ? await receiver(storage) : null;
    try {
      const origin = server === null ? '' : `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const expiresAt = seconds(Date.now()) + URL_SECONDS;
      const { uploadUrl } = await storage.signUpload(path, { expiresAt, origin });
      next('the PUT to the upload URL');
      await put(uploadUrl);
      next('sealing the upload');
      const sealed = await storage.sealUpload(path, { maxBytes: bytes.length });
      if (sealed?.bytes !== bytes.length) throw new Error('the upload is missing');
      await writeReadDelete(storage, path, next);
    } finally {
      server?.close();
      server?.closeAllConnections();
    }
  });

async function writeReadDelete(storage: Storage, path: string, next: (step: string) => void): Promise<void> {
  next('writing and reading an object');
  await storage.put(path, bytes);
  if (!(await storage.get(path))?.equals(bytes)) throw new Error('the written object is missing');
  next('deleting an object');
  await storage.delete(path);
}

/** Receives the test upload like the API, for a storage that takes uploads through the API. */
async function receiver(storage: Storage): Promise<Server> {
  const server = createServer((request, response) => storage.receive?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function put(url: string): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: bytes,
    signal: AbortSignal.timeout(PUT_MS),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`status ${response.status} ${/<Code>(\w+)/.exec(text)?.[1] ?? ''}`.trim());
}

export function adviceOnStorage({ storage, sharedStorage }: StorageDiagnosis): string[] {
  if (storage.ok === false && storage.reason === UNCLAIMED) return [`Check the storage: ${UNCLAIMED}.`];
  if (storage.ok === false)
    return [
      `Check the storage: ${storage.reason}. It needs the rights to read, write and delete, and clients must reach it under the name in upload URLs.`,
    ];
  return sharedStorage === null ? [] : [`Check the storage: ${sharedStorage}.`];
}
