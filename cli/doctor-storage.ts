import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Settings } from '../config/settings.schema.js';
import { seconds } from '../core/ports/clock.port.js';
import type { Health } from '../core/ports/health.js';
import type { Storage } from '../core/ports/storage.port.js';
import { checkStorageClaim } from '../core/workspaces/installation-claim.js';
import { installationId } from '../core/workspaces/installation-id.js';
import type { LoadedPlugin } from '../plugins/load-plugins.js';
import { reasonOf, whileStarted } from './started-plugin.js';

const PUT_MS = 15_000;
const URL_SECONDS = 300;
const bytes = Buffer.from('Cadre looks whether uploads work.');

export interface StorageDiagnosis {
  storage: Health;
  /** Describes another installation that has claimed the storage, or null. */
  sharedStorage: string | null;
}

/**
 * Performs an upload with a test object, which is deleted afterwards: signed URL, PUT, sealing, reading; then writing
 * and deleting as a worker does. The reason names the failed step.
 */
export async function askStorage(
  settings: Settings,
  loaded: LoadedPlugin<'storage'>,
  secret: Uint8Array,
): Promise<StorageDiagnosis> {
  const asked = async (storage: Storage): Promise<StorageDiagnosis> => {
    const health = await tryAll(storage);
    if (!health.ok) return { storage: health, sharedStorage: null };
    const claim = await checkStorageClaim(storage, installationId(secret));
    return { storage: health, sharedStorage: claim.ok ? null : claim.reason };
  };
  try {
    return await whileStarted('storage', loaded, { settings, secret }, asked);
  } catch (error) {
    return { storage: { ok: false, reason: reasonOf(error) }, sharedStorage: null };
  }
}

async function tryAll(storage: Storage): Promise<Health> {
  const health = await storage.health();
  if (!health.ok) return health;
  const path = `doctor/${randomUUID()}`;
  const server = storage.receive ? await receiver(storage) : null;
  let step = 'signing an upload URL';
  try {
    const origin = server === null ? '' : `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const expiresAt = seconds(Date.now()) + URL_SECONDS;
    const { uploadUrl } = await storage.signUpload(path, { expiresAt, origin });
    step = 'the PUT to the upload URL';
    await put(uploadUrl);
    step = 'sealing the upload';
    const sealed = await storage.sealUpload(path, { maxBytes: bytes.length });
    if (sealed?.bytes !== bytes.length) throw new Error('the upload is missing');
    step = 'writing and reading an object';
    await storage.put(path, bytes);
    if (!(await storage.get(path))?.equals(bytes)) throw new Error('the written object is missing');
    step = 'deleting an object';
    await storage.delete(path);
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: `${step} failed: ${reasonOf(error)}` };
  } finally {
    await storage.delete(path).catch(() => {});
    server?.close();
    server?.closeAllConnections();
  }
}

/** Receives the test upload like the API, for a storage that takes uploads through the API. */
async function receiver(storage: Storage): Promise<Server> {
  const server = createServer((request, response) => storage.receive?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function put(url: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: bytes,
    signal: AbortSignal.timeout(PUT_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`status ${answer.status} ${/<Code>(\w+)/.exec(text)?.[1] ?? ''}`.trim());
}

export function adviceOnStorage({ storage, sharedStorage }: StorageDiagnosis): string[] {
  if (!storage.ok)
    return [
      `Check the storage: ${storage.reason}. It needs the rights to read, write and delete, and clients must reach it under the name in upload URLs.`,
    ];
  return sharedStorage === null ? [] : [`Check the storage: ${sharedStorage}.`];
}
