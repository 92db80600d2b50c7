import type { IncomingMessage } from 'node:http';

/** The minimum upload rate: bytes per window. Measured from the time when the client may send. */
export interface Pace {
  windowMs: number;
  bytes: number;
}

/**
 * About 1 KiB/s, slower than any mobile network. A slower client occupies file descriptors for at most one window.
 */
export const leastPace: Pace = { windowMs: 30_000, bytes: 30_720 };

/**
 * Counts received bytes, and calls `tooSlow` after a window with too few. Ignores a window that began or ended while
 * received bytes were waiting for the disk. Returns a function that stops counting.
 */
export function watchPace(
  request: IncomingMessage,
  { windowMs, bytes }: Pace,
  tooSlow: () => void,
): () => void {
  let seen = request.socket.bytesRead;
  let wasBusy = false;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    const came = bytesRead - seen;
    seen = bytesRead;
    const isBusy = request.readableLength > 0;
    if (came < bytes && !request.complete && !isBusy && !wasBusy) tooSlow();
    wasBusy = isBusy;
  }, windowMs);
  return () => clearInterval(timer);
}
