import type { IncomingMessage } from 'node:http';

/** The minimum upload rate: bytes per window, measured once the client may send. */
export interface Pace {
  windowMs: number;
  bytes: number;
}

/**
 * About 1 KiB/s, slower than any mobile network. A client below it occupies its descriptors for one window at most.
 */
export const leastPace: Pace = { windowMs: 30_000, bytes: 30_720 };

/**
 * Counts received bytes and calls `tooSlow` after a window with too few. A window that began or ended while earlier
 * bytes waited for the disk does not count.
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
