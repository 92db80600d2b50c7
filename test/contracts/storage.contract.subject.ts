import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { silentLog } from '../../core/ports/log.port.js';
import type { PluginContext, StoragePlugin, UploadGate } from '../../core/ports/plugin.port.js';
import type { ObjectPage, Storage } from '../../core/ports/storage.port.js';

/**
 * Returns the plugin under test with valid options; called once per test, so that tests do not share a folder or
 * container.
 */
export type MakeStorage<Options> = () => Promise<{ plugin: StoragePlugin<Options>; options: Options }>;

export const mebibyte = 1024 * 1024;
export const maxUploadBytes = 6 * mebibyte;
export const hour = 3600;

/** Tools of a contract test. */
export interface Subject {
  storage: Storage;
  path: string;
  /** @param secondsLeft Remaining lifetime of the URL; negative if it has expired. */
  sign(path?: string, secondsLeft?: number): Promise<{ uploadUrl: string; token: string }>;
  seal(path?: string): ReturnType<Storage['sealUpload']>;
  /** The same installation in another process. */
  startWorker(): Promise<Storage>;
  stop(): Promise<void>;
  gate: TestGate;
}

/** The installation from the point of view of a storage that receives uploads. */
export interface TestGate {
  verdict: 'accepted' | 'full' | 'closed';
  /** Whether the upload is still wanted at its end. */
  isOpen: boolean;
  /** Bytes that are counted as in transit. */
  arriving: number;
}

export async function withSubject<Options>(
  make: MakeStorage<Options>,
  body: (subject: Subject) => Promise<void>,
): Promise<void> {
  const { plugin, options } = await make();
  const dataDir = await mkdtemp(join(tmpdir(), 'storage-contract-'));
  const common = {
    options,
    log: silentLog,
    dataDir,
    maxUploadBytes,
    maxDeliveries: 3,
    processName: 'contract',
    now: () => Date.now(),
  };
  const gate: TestGate = { verdict: 'accepted', isOpen: true, arriving: 0 };
  const uploads: UploadGate = {
    async begin(_path, bytes) {
      if (gate.verdict === 'accepted') gate.arriving += bytes;
      return gate.verdict;
    },
    async more(_path, bytes) {
      if (gate.verdict === 'accepted') gate.arriving += bytes;
      return gate.verdict;
    },
    async end(_path, bytes) {
      gate.arriving -= bytes;
      return gate.isOpen;
    },
  };
  const stops: (() => Promise<void>)[] = [];
  const start = async (
    who: Pick<PluginContext<Options, 'storage'>, 'role' | 'secret' | 'uploads'>,
  ): Promise<Storage> => {
    const started = await plugin.start({ ...common, ...who });
    stops.push(() => started.stop({ deadlineMs: 1000 }));
    return started.port;
  };
  const storage = await start({ role: 'api', secret: randomBytes(32), uploads });
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    if (storage.receive && incoming.url?.startsWith('/uploads/')) storage.receive(incoming, response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = `contract/${randomUUID()}.bin`;
  try {
    await body({
      storage,
      path: own,
      sign: (path = own, secondsLeft = hour + 0.123) =>
        storage.signUpload(path, { expiresAt: Math.floor(Date.now() / 1000) + secondsLeft, origin }),
      seal: (path = own) => storage.sealUpload(path, { maxBytes: maxUploadBytes }),
      startWorker: () => start({ role: 'worker', secret: new Uint8Array(0) }),
      gate,
      stop: async () => {
        for (const stop of stops) await stop();
      },
    });
  } finally {
    for (const stop of stops) await stop();
    server.closeAllConnections();
    server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function put(
  url: string,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf', ...headers },
    body: new Uint8Array(body),
  });
  await response.arrayBuffer();
  return response;
}

/** Announces more than it sends, then disconnects. */
export async function breakOff(url: string, announced: number, bytes: Buffer): Promise<void> {
  const headers = { 'content-type': 'application/pdf', 'content-length': announced };
  const sending = request(url, { method: 'PUT', headers });
  sending.on('error', () => undefined);
  await new Promise((sent) => sending.write(bytes, sent));
  const closed = new Promise((resolve) => sending.once('close', resolve));
  sending.destroy();
  await closed;
}

export async function streamed(storage: Storage, path: string, etag: string): Promise<Buffer> {
  const stream: Readable = await storage.open(path, etag);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Checks that the object is unchanged, or that opening it reports the change. */
export async function assertUnchanged(
  storage: Storage,
  path: string,
  etag: string,
  bytes: Buffer,
): Promise<void> {
  try {
    assertSame(await streamed(storage, path, etag), bytes);
  } catch (error) {
    if (codeOf(error) !== 'OBJECT_CHANGED') throw error;
  }
}

/** Lists our own paths, page by page. */
export async function listed(
  storage: Storage,
  own: string,
  before: number,
  limit: number,
): Promise<string[]> {
  const paths: string[] = [];
  let after: string | null = null;
  do {
    const page: ObjectPage | undefined = await storage.list?.({ before, after, limit });
    paths.push(...(page?.paths ?? []).filter((path) => path.startsWith(own)));
    after = page?.next ?? null;
  } while (after !== null);
  return paths.sort();
}

export const flip = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

export const assertTaken = (response: Response): void =>
  assert.ok(response.ok, `PUT was answered ${response.status}`);

export const assertRefused = (response: Response, what: string): void =>
  assert.ok(response.status >= 400 && response.status < 500, `${response.status}: ${what}`);

/** Compares digests, because a diff of megabytes is unreadable. */
export function assertSame(actual: Buffer, expected: Buffer): void {
  const [a, b] = [actual, expected].map(
    (bytes) => `${bytes.byteLength} ${createHash('sha256').update(bytes).digest('hex')}`,
  );
  assert.equal(a, b);
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
