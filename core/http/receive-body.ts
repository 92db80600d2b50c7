import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
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
 * Returns the body as a stream that holds memory for the bytes that have arrived, not for the announced length. It fails
 * with `tooLarge`; 503 without room; 400 if the client disconnects, stops, or takes too long.
 */
export function boundedBody(
  request: IncomingMessage,
  { maxBytes, timeoutMs, grow, tooLarge }: ReceivingOptions,
): Readable {
  let size = 0;
  const body = new Transform({
    transform(chunk: Buffer, _, pass) {
      size += chunk.length;
      if (size > maxBytes) return pass(tooLarge());
      const grown = grow(size);
      if (grown === true) return pass(null, chunk);
      // Meanwhile, the rest stays in the client's socket.
      grown.then((isRoom) => (isRoom ? pass(null, chunk) : pass(overloaded(new MemoryTaken()))), pass);
    },
  });
  const tooLate = () => body.destroy(invalidBody('The body did not arrive in time. Try again.'));
  const unreadable = () => body.destroy(invalidBody('The body could not be read.'));
  // Not counted by chunks: short pieces are gathered.
  let { bytesRead } = request.socket;
  const deadline = setTimeout(tooLate, timeoutMs);
  const progress = setInterval(() => {
    if (size > 0 && request.socket.bytesRead === bytesRead) tooLate();
    bytesRead = request.socket.bytesRead;
  }, STALL_MS);
  // The request also closes after a complete body, which may still be waiting for memory.
  const closed = () => void (request.complete || unreadable());
  // Readers get the error, too. The body may fail before they listen.
  body.on('error', () => {});
  body.once('close', () => {
    clearTimeout(deadline);
    clearInterval(progress);
    request.off('close', closed);
  });
  if (request.destroyed && !request.complete) unreadable();
  else request.once('close', closed).pipe(body);
  return body;
}

/** Receives the body. Throws what the stream of `boundedBody` fails with. */
export async function receiveBody(request: IncomingMessage, options: ReceivingOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedBody(request, options)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
