import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import { type ApiError, invalidBody, overloaded } from '../../errors/api-error.js';
import { MemoryTaken } from '../limits/memory-budget.js';

/**
 * A body of which bytes have arrived ends after one to two of these intervals without another byte. `timeoutMs` is the
 * time for the whole body.
 */
const stallMsOf = (timeoutMs: number): number => Math.max(4000, timeoutMs / 8);

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
  // Not counted by chunks: short pieces are gathered.
  let { bytesRead } = request.socket;
  const deadline = setTimeout(tooLate, timeoutMs);
  const progress = setInterval(() => {
    const waitsForUs = request.complete || isWaitingForRoom || request.readableLength > 0;
    if (size > 0 && !waitsForUs && request.socket.bytesRead === bytesRead) tooLate();
    bytesRead = request.socket.bytesRead;
  }, stallMsOf(timeoutMs));
  // Readers get the error, too. The body may fail before they listen.
  body.on('error', () => {});
  body.once('close', () => {
    clearTimeout(deadline);
    clearInterval(progress);
    request.socket.off('close', unreadable);
  });
  // The request itself would not end if its client left before it was read, though it may be complete.
  request.socket.once('close', unreadable);
  if (request.destroyed || request.socket.destroyed) unreadable();
  else request.pipe(body);
  return body;
}

/** Receives the body. Throws what the stream of `boundedBody` fails with. */
export async function receiveBody(request: IncomingMessage, options: ReceivingOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of boundedBody(request, options)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
