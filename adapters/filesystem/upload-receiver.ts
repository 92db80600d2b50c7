import type { IncomingMessage, ServerResponse } from 'node:http';
import { databaseUnavailable } from '../../core/errors/api-error.js';
import type { Log } from '../../core/ports/log.port.js';
import type { UploadGate } from '../../core/ports/plugin.port.js';
import { StoreUnavailable } from '../../core/ports/store/store-errors.js';
import { admitted, type Room, refuseSealed, withdrawn } from './admitted-upload.js';
import { isFull, isMissing } from './file-errors.js';
import { leastPace, type Pace, watchPace } from './pace.js';
import { accept, awaitsContinue, type Linger, refuse, requestId, UploadRefused } from './upload-response.js';

/** Where uploads are stored. */
export interface UploadTarget {
  /** Resolves to whether the object is already sealed. */
  isTaken(path: string): Promise<boolean>;
  /** Opens a partial file for the object. */
  stage(path: string): Promise<UploadSink>;
}

export interface UploadSink {
  write(bytes: Uint8Array): Promise<void>;
  /** Syncs the complete upload to disk. */
  flush(): Promise<void>;
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface ReceiverOptions {
  target: UploadTarget;
  /** Returns the path of the object that a token allows writing now; null if the token is invalid. */
  verify(token: string): string | null;
  maxBytes: number;
  /** Admits uploads. If it is missing, all are admitted. */
  gate?: UploadGate | undefined;
  log: Log;
  linger?: Linger;
  pace?: Pace;
}

export interface UploadReceiver {
  /** Handles one request under `/uploads/`. Never throws. */
  receive(request: IncomingMessage, response: ServerResponse): void;
  /** Rejects new uploads, and aborts running ones after `deadlineMs`. Resolves when all have ended. */
  stop(deadlineMs: number): Promise<void>;
}

const prefix = '/uploads/';
const invalid = 'VALIDATION_INVALID_BODY';

export function uploadReceiver(options: ReceiverOptions): UploadReceiver {
  const { target, maxBytes, gate, log } = options;
  const linger = options.linger ?? { milliseconds: 10_000, bytes: 4 * maxBytes };
  const running = new Map<IncomingMessage, Promise<void>>();
  let stopped = false;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = requestId(request);
    response.setHeader('x-request-id', id);
    try {
      const bytes = await take(request, response);
      accept(response);
      log.debug({ requestId: id, bytes }, 'upload received');
    } catch (error) {
      if (request.destroyed && !request.complete) {
        log.debug({ requestId: id }, 'upload aborted by the client');
        return;
      }
      const refusal = error instanceof UploadRefused ? error : unexpected(error);
      if (refusal.status >= 500) log.error({ requestId: id, err: error }, 'upload failed');
      else log.debug({ requestId: id, status: refusal.status }, 'upload refused');
      await refuse(request, response, refusal, linger);
    }
  }

  /** Stores the upload. Resolves to its size in bytes. */
  async function take(request: IncomingMessage, response: ServerResponse): Promise<number> {
    const path = admit(request);
    // The size of a chunked body is unknown, so its bytes are counted as they arrive.
    const announced = Number(request.headers['content-length'] ?? 0);
    return admitted(gate, path, announced, target.isTaken(path), async (room) => {
      const sink = await target.stage(path);
      const unwatch = watchPace(request, options.pace ?? leastPace, () => request.destroy());
      try {
        if (awaitsContinue(request, response)) response.writeContinue();
        const bytes = await copy(request, { sink, room });
        // Run the slow steps, on disk and in the database, concurrently.
        await bothDone(
          sink.flush(),
          refuseSealed(target.isTaken(path)).then(() => room.settle(bytes)),
        );
        await commit(sink);
        return bytes;
      } finally {
        unwatch();
        await sink.discard();
      }
    });
  }

  /** Checks the request before its body. Returns the object's path; throws UploadRefused. */
  function admit(request: IncomingMessage): string {
    if (stopped)
      throw new UploadRefused(
        503,
        'INTERNAL_SERVER_ERROR',
        'The service is stopping; try again in a moment.',
      );
    if (request.method !== 'PUT') {
      throw new UploadRefused(405, 'RESOURCE_NOT_FOUND', 'Send the bytes of the file with PUT.', {
        allow: 'PUT',
      });
    }
    const [pathname = ''] = (request.url ?? '').split('?', 1);
    const path = options.verify(pathname.slice(prefix.length));
    if (!pathname.startsWith(prefix) || path === null) {
      const message = 'The upload URL is not valid, or it has expired. Ask for a new one.';
      throw new UploadRefused(403, 'UPLOAD_URL_INVALID', message);
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
    return path;
  }

  async function copy(
    request: IncomingMessage,
    { sink, room }: { sink: UploadSink; room: Room },
  ): Promise<number> {
    let bytes = 0;
    // Keep the request open after a rejection, because the response needs its connection.
    const chunks: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      if (bytes > room.bytes) await room.reach(bytes);
      await sink.write(chunk);
    }
    return bytes;
  }

  const tooLarge = (): UploadRefused =>
    new UploadRefused(413, invalid, `The file is larger than ${maxBytes} bytes.`);

  return {
    receive(request, response) {
      running.set(
        request,
        respond(request, response)
          .catch((error: unknown) => {
            log.error({ err: error }, 'could not respond to an upload');
            request.destroy();
          })
          .finally(() => running.delete(request)),
      );
    },
    async stop(deadlineMs) {
      stopped = true;
      const cut = setTimeout(() => {
        for (const request of running.keys()) request.destroy();
      }, deadlineMs);
      await Promise.all(running.values());
      clearTimeout(cut);
    },
  };
}

/** Waits until all have settled, then rejects with the first error in the order of the arguments. */
async function bothDone(...works: Promise<void>[]): Promise<void> {
  for (const work of await Promise.allSettled(works)) if (work.status === 'rejected') throw work.reason;
}

async function commit(sink: UploadSink): Promise<void> {
  try {
    await sink.commit();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw withdrawn();
  }
}

/** Returns the response to an error that the client did not cause. */
function unexpected(error: unknown): UploadRefused {
  if (isFull(error)) {
    const message = 'The service has no disk space for this file. Nothing was stored; try again later.';
    return new UploadRefused(507, 'INTERNAL_SERVER_ERROR', message);
  }
  if (error instanceof StoreUnavailable) {
    const { status, code, message, headers } = databaseUnavailable(error);
    return new UploadRefused(status, code, message, headers);
  }
  return new UploadRefused(500, 'INTERNAL_SERVER_ERROR', 'The file could not be stored. Try again.');
}
