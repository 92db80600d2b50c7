import type { IncomingMessage } from 'node:http';
import { type ApiError, invalidBody, overloaded } from '../errors/api-error.js';
import { MemoryTaken } from './memory-budget.js';

/** A body of which bytes have arrived ends after one to two of these intervals without another byte. */
const STALL_MS = 4000;

interface ReceivingOptions {
  maxBytes: number;
  /** Maximum time to receive the body. */
  timeoutMs: number;
  /** Holds the memory of this many bytes. False if there is no room. */
  grow: (bytes: number) => true | Promise<boolean>;
  tooLarge: () => ApiError;
}

/**
 * Receives a body. Memory is held for bytes that have arrived, not for the announced length. Throws `tooLarge`; 503
 * without room; 400 if the client disconnects, stops, or takes too long.
 */
export function receiveBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs, grow, tooLarge }: ReceivingOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    // Not counted by chunks: short pieces are gathered.
    let { bytesRead } = request.socket;
    const tooLate = (): void => fail(invalidBody('The body did not arrive in time. Try again.'));
    const unreadable = (): void => fail(invalidBody('The body could not be read.'));
    const deadline = setTimeout(tooLate, timeoutMs);
    const progress = setInterval(() => {
      if (size > 0 && request.socket.bytesRead === bytesRead) tooLate();
      bytesRead = request.socket.bytesRead;
    }, STALL_MS);

    function settle(): void {
      isSettled = true;
      clearTimeout(deadline);
      clearInterval(progress);
      request.off('data', take).off('end', done).off('close', unreadable);
    }
    function fail(error: unknown): void {
      settle();
      chunks = [];
      reject(error);
    }
    function done(): void {
      settle();
      resolve(Buffer.concat(chunks, size));
    }
    function take(chunk: Buffer): void {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) fail(tooLarge());
      else void waitForRoom(grow(size));
    }
    async function waitForRoom(grown: true | Promise<boolean>): Promise<void> {
      if (grown === true) return;
      // The rest stays in the client's socket.
      request.pause();
      const isRoom = await grown;
      if (isSettled) return;
      if (isRoom) request.resume();
      else fail(overloaded(new MemoryTaken()));
    }

    if (request.destroyed) unreadable();
    else request.on('data', take).once('end', done).once('close', unreadable);
  });
}
