import type { Events, FrameEvent, FrameMessage, HostMessage, Memory } from '../protocol.js';
import { createFrame, type Frame } from './frame.js';
import type { createMemory } from './memory.js';

/** Time for the page of the frame to become ready in ms. */
const READY_MS = 15_000;
/** Pauses in ms before the frame is loaded again. After the last one, only `open` loads it. */
const RETRY_MS = [30_000, 120_000, 600_000];

type Report = <Name extends keyof Events>(name: Name, detail: Events[Name]) => void;

export interface Connection {
  /** Loads the frame. Commands from before are kept. */
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

/** Talks to the frame, and loads it again if its page does not become ready. */
export function connect({ origin, agentId, memory, report }: ConnectionOptions): Connection {
  let frame: Frame | null = null;
  let isStarted = false;
  let isReady = false;
  let isOpen = false;
  let isHidden = false;
  let identity: string | null = null;
  let identifications = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Map<number, PromiseWithResolvers<{ userId: string }> & { token: string }>();

  const post = (message: HostMessage): void => {
    frame?.window?.postMessage(message, origin);
  };
  const postWhenReady = (message: HostMessage): void => {
    if (isReady) post(message);
  };

  function load(): void {
    clearTimeout(timer);
    isReady = false;
    frame?.remove();
    frame = createFrame(`${origin}/widget/${encodeURIComponent(agentId)}`, {
      onLoad() {
        isReady = false;
        clearTimeout(timer);
        timer = setTimeout(unload, READY_MS);
        if (frame)
          post({
            cadre: 'hello',
            memory: memory.get(),
            screen: frame.screen,
            session: memory.session(),
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
    if (pause !== undefined) timer = setTimeout(load, pause);
  }

  function receive({ origin: from, source, data }: MessageEvent<FrameMessage | null>): void {
    if (!frame || from !== origin || source !== frame.window || !data) return;
    if (data.cadre === 'ready') becomeReady(String(data.title), data.side === 'left' ? 'left' : 'right');
    else if (data.cadre === 'layout') frame.layout(data.shape, data.width, data.height);
    else if (data.cadre === 'memory') memory.set(data.memory);
    else if (data.cadre === 'session') memory.setSession(data.session);
    else if (data.cadre === 'identified')
      settle(data.id, ({ resolve }) => resolve({ userId: String(data.userId) }));
    else if (data.cadre === 'unidentified')
      settle(data.id, ({ reject }) => reject(new Error(String(data.reason))));
    else if (data.cadre === 'event') relay(data);
  }

  function becomeReady(title: string, side: 'left' | 'right'): void {
    frame?.reveal(title, side);
    // Later ones only change the title or the side.
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

  function settle(id: number, end: (waiter: PromiseWithResolvers<{ userId: string }>) => void): void {
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
      identity = token;
      const waiter = { ...withResolvers<{ userId: string }>(), token };
      // The page may ignore the promise. An error is also reported as an event.
      waiter.promise.catch(() => {});
      waiting.set(identifications, waiter);
      postWhenReady({ cadre: 'identify', id: identifications, token });
      return waiter.promise;
    },
    reset() {
      identity = null;
      memory.set({ renewal: null, conversationId: null } satisfies Memory);
      postWhenReady({ cadre: 'reset' });
    },
    destroy() {
      isStarted = false;
      clearTimeout(timer);
      removeEventListener('message', receive);
      frame?.remove();
      frame = null;
      for (const { reject } of waiting.values()) reject(new Error('The widget was removed.'));
      waiting.clear();
    },
  };
}

type PromiseWithResolvers<T> = {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: Error) => void;
};

/** `Promise.withResolvers` is missing in older browsers. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
