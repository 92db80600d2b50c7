import { type EventName, type Events, eventNames } from '../protocol.js';
import { connect } from './connection.js';
import { createMemory } from './memory.js';

/*
 * The script that a site embeds. It starts after the page has loaded, and changes nothing in the page except
 * `window.cadre` and its own element.
 */

type Handler = (detail: unknown) => void;
type Call = ArrayLike<unknown>;

interface Cadre {
  (...call: unknown[]): unknown;
  /** Calls that were made before this script was loaded. */
  q?: Call[];
  /** Agent of the running widget. */
  agentId?: string | null;
}

/** Maximum time to wait for the page to become idle, in ms. */
const IDLE_MS = 2000;

const global = window as Window & { cadre?: Cadre };
const warn = (text: string): void => console.warn(`cadre: ${text}`);

const script = document.currentScript;
const agentId = script instanceof HTMLScriptElement ? script.dataset.agentId : undefined;
if (!(script instanceof HTMLScriptElement) || !agentId)
  warn('The script tag needs the attribute data-agent-id.');
else if (global.cadre?.agentId) {
  if (global.cadre.agentId !== agentId) warn('This page already has a widget of another agent.');
} else start(agentId, new URL(script.src).origin, script.dataset.remember !== 'off');

function start(agent: string, origin: string, isRemembered: boolean): void {
  const handlers = new Map<EventName, Set<Handler>>(eventNames.map((name) => [name, new Set()]));
  let isReady = false;
  let isDestroyed = false;

  const report = <Name extends EventName>(name: Name, detail: Events[Name]): void => {
    if (name === 'ready') {
      // The frame becomes ready again after the host has moved it or removed and added it.
      if (isReady) return;
      isReady = true;
    }
    // Each handler runs in its own task, so that an exception does not affect other handlers.
    for (const handler of handlers.get(name) ?? []) setTimeout(handler, 0, detail);
  };
  const memory = createMemory(agent, isRemembered);
  const connection = connect({ origin, agentId: agent, memory, report });
  const handlersOf = (name: unknown): Set<Handler> | undefined => {
    const found = handlers.get(name as EventName);
    if (!found) warn(`There is no event ${String(name)}.`);
    return found;
  };

  const commands: Record<string, (...values: never[]) => unknown> = {
    open: connection.open,
    close: connection.close,
    show: () => connection.setHidden(false),
    hide: () => connection.setHidden(true),
    reset: connection.reset,
    identify(options?: { token?: unknown }) {
      const token = options?.token;
      return typeof token === 'string' ? connection.identify(token) : warn('identify needs {token}.');
    },
    on(name: unknown, handler: Handler) {
      if (typeof handler !== 'function') return warn('on needs a function.');
      handlersOf(name)?.add(handler);
      if (name === 'ready' && isReady) setTimeout(handler, 0);
    },
    off: (name: unknown, handler: Handler) => void handlersOf(name)?.delete(handler),
    destroy() {
      isDestroyed = true;
      connection.destroy();
      handlers.clear();
      cadre.agentId = null;
    },
  };

  const cadre: Cadre = (command, ...values) => {
    const run = Object.hasOwn(commands, String(command)) ? commands[String(command)] : undefined;
    if (run) return run(...(values as never[]));
    warn(`There is no command ${String(command)}.`);
    return undefined;
  };
  const queued = global.cadre?.q ?? [];
  cadre.agentId = agent;
  global.cadre = cadre;
  for (const call of Array.from(queued)) cadre(...Array.from(call));

  afterLoad(() => {
    if (!isDestroyed) connection.start();
  });
}

function afterLoad(run: () => void): void {
  const whenIdle = (): void => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: IDLE_MS });
    else setTimeout(run, 200);
  };
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
}
