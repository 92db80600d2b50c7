import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { type ApiError, invalidBody, overloaded } from '../../errors/api-error.js';
import { MemoryTaken } from '../limits/memory-budget.js';

/**
 * Interval of the check for progress. A body that has begun to arrive fails after one to two intervals without a byte.
 * `timeoutMs`: maximum time for the whole body.
 */
const stallMsOf = (timeoutMs: number): number => Math.max(4000, timeoutMs / 8);

interface ReceivingOptions {
  maxBytes: number;
  /** Maximum time to receive the body. */
  timeoutMs: number;
  /** Holds memory for this number of bytes. Returns false if there is no room. */
  grow: (bytes: number) => true | Promise<boolean>;
  tooLarge: () => ApiError;
}

/**
 * Returns the body as a stream that holds memory for the bytes that have arrived, not for the announced length. The stream
 * fails with `tooLarge`, with 503 if there is no room, or with 400 if the client disconnects, stalls, or takes too long.
 */
export function boundedBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs, grow, tooLarge }: ReceivingOptions,
): Readable {
  let size = 0;
  let isWaitingForRoom = false;
  const body = new Transform({
    transform(chunk: Buffer, _, pass) {
      size += chunk.length;
      if (size > maxBytes) return pass(tooLarge());
      const grown = grow(size);
      if (grown === true) return pass(null, chunk);
      // The rest stays in the client's socket until there is room.
      isWaitingForRoom = true;
      grown.then((isRoom) => {
        isWaitingForRoom = false;
        if (isRoom) pass(null, chunk);
        else pass(overloaded(new MemoryTaken()));
      }, pass);
    },
  });
  const tooLate = () => body.destroy(invalidBody('The body did not arrive in time. Try again.'));
  const unreadable = () => body.destroy(invalidBody('The body could not be read.'));
  // Measure progress at the socket, because short pieces are collected before they are emitted.
  let { bytesRead } = request.socket;
  const deadline = setTimeout(tooLate, timeoutMs);
  const progress = setInterval(() => {
    const waitsForUs = request.complete || isWaitingForRoom || request.readableLength > 0;
    if (size > 0 && !waitsForUs && request.socket.bytesRead === bytesRead) tooLate();
    bytesRead = request.socket.bytesRead;
  }, stallMsOf(timeoutMs));
  // Prevents an uncaught error if the body fails before its reader listens. The reader still gets the error.
  body.on('error', () => {});
  body.once('close', () => {
    clearTimeout(deadline);
    clearInterval(progress);
    request.socket.off('close', unreadable);
  });
  // If the client disconnects before the request is read, the request itself emits no error.
  request.socket.once('close', unreadable);
  if (request.destroyed || request.socket.destroyed) unreadable();
  else request.pipe(body);
  return body;
}

/** Receives the body. Throws the errors of `boundedBody`. */
export async function receiveBody(request: IncomingMessage, options: ReceivingOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedBody(request, options)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
