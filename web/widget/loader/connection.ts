import type { Events, FrameEvent, FrameMessage, HostMessage } from '../protocol.js';
import { createFrame, type Frame } from './frame.js';
import type { createMemory } from './memory.js';

/** Time limit for the frame's page to become ready, in ms. */
const READY_MS = 15_000;
/** Pauses before the frame is loaded again, in ms. After the last attempt, only `open` loads it. */
const RETRY_MS = [30_000, 120_000, 600_000];

type Report = <Name extends keyof Events>(name: Name, detail: Events[Name]) => void;

export interface Connection {
  /** Loads the frame. Commands from before the call are kept. */
  start(): void;
  open(): void;
  close(): void;
  setHidden(hidden: boolean): void;
  identify(token: string): Promise<{ userId: string }>;
  reset(): void;
  destroy(): void;
}

interface ConnectionOptions {
  origin: string;
  agentId: string;
  memory: ReturnType<typeof createMemory>;
  report: Report;
}

/** A call of `identify` that the frame has not answered yet. */
interface Waiter {
  token: string;
  resolve(identified: { userId: string }): void;
  reject(reason: Error): void;
}

/** Exchanges messages with the frame, and reloads it if its page does not become ready. */
export function connect({ origin, agentId, memory, report }: ConnectionOptions): Connection {
  let frame: Frame | null = null;
  let isStarted = false;
  let isReady = false;
  let isOpen = false;
  let isHidden = false;
  /** True if the widget was destroyed, or could not be loaded after the last attempt. */
  let isLost = false;
  /** The token that the page has accepted. */
  let identity: string | null = null;
  let identifications = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Map<number, Waiter>();

  const post = (message: HostMessage): void => {
    frame?.window?.postMessage(message, origin);
  };
  const postWhenReady = (message: HostMessage): void => {
    if (isReady) post(message);
  };

  function load(): void {
    clearTimeout(timer);
    isReady = false;
    isLost = false;
    frame?.remove();
    frame = createFrame(`${origin}/widget/${encodeURIComponent(agentId)}`, {
      onLoad() {
        isReady = false;
        clearTimeout(timer);
        timer = setTimeout(unload, READY_MS);
        if (frame)
          post({
            cadre: 'hello',
            memory: memory.visitor.get(),
            screen: frame.screen,
            session: memory.session.get(),
            identity,
          });
      },
      onScreen: (screen) => postWhenReady({ cadre: 'screen', screen }),
    });
    frame.setHidden(isHidden);
    timer = setTimeout(unload, READY_MS);
  }

  function unload(): void {
    frame?.remove();
    frame = null;
    const pause = RETRY_MS[failures];
    failures += 1;
    if (pause === undefined) lose('is not available');
    else timer = setTimeout(load, pause);
  }

  function lose(reason: string): void {
    isLost = true;
    rejectWaiting(reason);
  }

  function rejectWaiting(reason: string): void {
    for (const { reject } of waiting.values()) reject(new Error(`The widget ${reason}.`));
    waiting.clear();
  }

  function receive({ origin: from, source, data }: MessageEvent<FrameMessage | null>): void {
    if (!frame || from !== origin || source !== frame.window || !data) return;
    if (data.cadre === 'ready') becomeReady(String(data.title), data.side === 'left' ? 'left' : 'right');
    else if (data.cadre === 'layout') frame.layout(data.shape, data.width, data.height);
    else if (data.cadre === 'memory') memory.visitor.set(data.memory);
    else if (data.cadre === 'session') memory.session.set(data.session);
    else if (data.cadre === 'identified')
      settle(data.id, ({ resolve, token }) => {
        identity = token;
        resolve({ userId: String(data.userId) });
      });
    else if (data.cadre === 'unidentified')
      settle(data.id, ({ reject }) => reject(new Error(String(data.reason))));
    else if (data.cadre === 'event') relay(data);
  }

  function becomeReady(title: string, side: 'left' | 'right'): void {
    frame?.reveal(title, side);
    // A later call only changes the title or the side.
    if (isReady) return;
    clearTimeout(timer);
    isReady = true;
    failures = 0;
    for (const [id, { token }] of waiting) post({ cadre: 'identify', id, token });
    if (isOpen) post({ cadre: 'open' });
    report('ready', undefined);
  }

  function relay({ name, detail }: FrameEvent): void {
    if (name === 'open' || name === 'close') isOpen = name === 'open';
    if (name !== 'ready') report(name, detail as never);
  }

  function settle(id: number, end: (waiter: Waiter) => void): void {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (waiter) end(waiter);
  }

  return {
    start() {
      isStarted = true;
      addEventListener('message', receive);
      load();
    },
    open() {
      isOpen = true;
      if (isStarted && !frame) load();
      postWhenReady({ cadre: 'open' });
    },
    close() {
      isOpen = false;
      postWhenReady({ cadre: 'close' });
    },
    setHidden(hidden) {
      isHidden = hidden;
      frame?.setHidden(hidden);
    },
    identify(token) {
      identifications += 1;
      const identified = new Promise<{ userId: string }>((resolve, reject) => {
        waiting.set(identifications, { token, resolve, reject });
      });
      // The page may ignore the promise, because an error is also reported as an event.
      identified.catch(() => {});
      if (isLost) rejectWaiting('is not available');
      postWhenReady({ cadre: 'identify', id: identifications, token });
      return identified;
    },
    reset() {
      identity = null;
      memory.visitor.set(null);
      memory.session.set(null);
      rejectWaiting('was reset');
      // The frame may already have received the old memory, so load it again.
      if (frame && !isReady) load();
      postWhenReady({ cadre: 'reset' });
    },
    destroy() {
      isStarted = false;
      clearTimeout(timer);
      removeEventListener('message', receive);
      frame?.remove();
      frame = null;
      lose('was removed');
    },
  };
}
