import { type FrameMessage, type HostMessage, isHostMessage } from '../protocol.js';

/** The loader on the host page, as the frame sees it. */
export interface HostLink {
  /** Origin of the host page. */
  origin: string;
  send(message: FrameMessage): void;
}

type Hello = Extract<HostMessage, { cadre: 'hello' }>;

/**
 * Waits for the loader to say hello; its origin is that of the host page. From then on, only messages of that origin
 * are taken. Messages from before `begin` has resolved are kept.
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
      // A page without an origin, such as a local file, cannot be named.
      const target = from === 'null' ? '*' : from;
      const link = { origin, send: (message: FrameMessage) => parent.postMessage(message, target) };
      handling = begin(data, link);
    } else if (from === origin) void handling?.then((handle) => handle(data));
  });
}
