import type { JsonObject, JsonValue } from '../../schemas/json.js';

/**
 * The tool calls in progress in this process. In protocol versions before 2026, a separate message cancels a call. It names
 * the call by an id that is unique only within the session.
 */
export interface RunningCalls {
  /** Registers a call. Returns a function that removes it. */
  add(session: string, body: JsonObject, cancel: () => void): () => void;
  /** Cancels a call if the message asks for it. */
  cancel(session: string, body: JsonObject): void;
}

const isId = (id: JsonValue | undefined): id is string | number =>
  typeof id === 'string' || typeof id === 'number';

const keyOf = (session: string, id: string | number): string => `${session}\n${JSON.stringify(id)}`;

export function createRunningCalls(): RunningCalls {
  const running = new Map<string, () => void>();
  return {
    add(session, { method, id }, cancel) {
      if (method !== 'tools/call' || !isId(id)) return () => {};
      const key = keyOf(session, id);
      running.set(key, cancel);
      return () => {
        if (running.get(key) === cancel) running.delete(key);
      };
    },
    cancel(session, { method, params }) {
      if (method !== 'notifications/cancelled') return;
      const id = (params as JsonObject | undefined)?.requestId;
      if (isId(id)) running.get(keyOf(session, id))?.();
    },
  };
}
