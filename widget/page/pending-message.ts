/** A message that is being sent, with its idempotency key. */
export interface PendingMessage {
  key: string;
  text: string;
}

/**
 * Keeps the message that is being sent over a reload of the tab, so that it is neither lost nor sent twice. Where the
 * browser blocks the frame's storage, nothing is kept.
 */
export function createPendingMessage(agentId: string) {
  const name = `cadre:${agentId}:pending`;
  const attempt = <T>(use: () => T): T | null => {
    try {
      return use();
    } catch {
      return null;
    }
  };
  return {
    keep: (message: PendingMessage) => attempt(() => sessionStorage.setItem(name, JSON.stringify(message))),
    drop: () => attempt(() => sessionStorage.removeItem(name)),
    get: () => attempt(() => JSON.parse(sessionStorage.getItem(name) ?? 'null') as PendingMessage | null),
  };
}
