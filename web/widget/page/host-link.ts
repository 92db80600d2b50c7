import { type FrameMessage, type HostMessage, isHostMessage } from '../protocol.js';

/** Connection of the frame to the loader on the host page. */
export interface HostLink {
  /** Origin of the host page. */
  origin: string;
  send(message: FrameMessage): void;
}

type Hello = Extract<HostMessage, { cadre: 'hello' }>;

/**
 * Waits for the first message of the loader, whose origin is that of the host page. Then accepts only messages from
 * that origin. Messages that arrive before `begin` has resolved are kept.
 */
export function listenToHost(
  begin: (hello: Hello, link: HostLink) => Promise<(message: HostMessage) => void>,
): void {
  let origin: string | null = null;
  let handling: Promise<(message: HostMessage) => void> | null = null;
  addEventListener('message', ({ source, data, origin: from }) => {
    if (source !== parent || parent === window || !isHostMessage(data)) return;
    if (data.cadre === 'hello') {
      if (origin !== null) return;
      origin = from;
      // Pages such as local files have no origin that can be addressed.
      const target = from === 'null' ? '*' : from;
      const link = { origin, send: (message: FrameMessage) => parent.postMessage(message, target) };
      handling = begin(data, link);
    } else if (from === origin) void handling?.then((handle) => handle(data));
  });
}
