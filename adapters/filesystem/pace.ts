import type { IncomingMessage } from 'node:http';

/** The least that a client must send: so many bytes within each window, once it is asked for them. */
export interface Pace {
  windowMs: number;
  bytes: number;
}

/**
 * About 1 KiB a second. The slowest mobile networks are faster, and a dripping client holds its descriptors
 * for one window at most.
 */
export const leastPace: Pace = { windowMs: 30_000, bytes: 30_720 };

/**
 * Watches the bytes that come, and calls `tooSlow` when a window has passed with too few of them. A window in
 * which we were busy with earlier bytes does not count against the client.
 */
export function watchPace(
  request: IncomingMessage,
  { windowMs, bytes }: Pace,
  tooSlow: () => void,
): () => void {
  let seen = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const came = bytesRead - seen;
    seen = bytesRead;
    if (came < bytes && !request.complete && request.readableLength === 0) tooSlow();
  }, windowMs);
  return () => clearInterval(timer);
}
