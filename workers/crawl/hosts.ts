/** Politeness: how many of us are at a host at the same time, and how fast we follow each other. */
export interface Hosts {
  /** Whether one more of us may go there now. */
  isOpen(host: string): boolean;
  enter(host: string): void;
  leave(host: string): void;
  close(): void;
}

export interface HostSettings {
  concurrency: number;
  /** Least time between two entries to one host. Milliseconds. */
  delayMs: number;
  /** Called when a host may have become open. */
  onOpen: () => void;
}

interface Host {
  inside: number;
  /** Runs until the next entry is allowed. */
  pause: NodeJS.Timeout | null;
}

export const createHosts = ({ concurrency, delayMs, onOpen }: HostSettings): Hosts => {
  const hosts = new Map<string, Host>();

  const changed = (name: string, { inside, pause }: Host): void => {
    if (inside === 0 && pause === null) hosts.delete(name);
    onOpen();
  };

  const pauseAfterEntry = (name: string, host: Host): void => {
    host.pause = setTimeout(() => {
      host.pause = null;
      changed(name, host);
    }, delayMs);
  };

  return {
    isOpen(name) {
      const host = hosts.get(name);
      return host === undefined || (host.inside < concurrency && host.pause === null);
    },
    enter(name) {
      const host = hosts.get(name) ?? { inside: 0, pause: null };
      hosts.set(name, host);
      host.inside += 1;
      if (delayMs > 0) pauseAfterEntry(name, host);
    },
    leave(name) {
      const host = hosts.get(name);
      if (host === undefined) return;
      host.inside -= 1;
      changed(name, host);
    },
    close() {
      for (const { pause } of hosts.values()) if (pause !== null) clearTimeout(pause);
    },
  };
};
