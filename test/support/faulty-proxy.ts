import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy between clients and a server that simulates network failures. */
export interface FaultyProxy {
  port: number;
  /** The server's address through this proxy. */
  through(url: string): string;
  /** Ends every connection at once; returns their number. New ones pass. */
  cut(): number;
  /** Rejects new connections from now on; existing ones stay. */
  refuse(): void;
  /** Stops all traffic without closing anything; new connections hang too. */
  freeze(): void;
  /** Stops all traffic on the existing connections, including their end. New ones pass. */
  freezeOpen(): void;
  /** Delays data from now on. */
  delay(ms: number): void;
  /** Sends bytes to every client in the name of the server. Nothing else may be in transit. */
  say(bytes: Buffer): void;
  /** Ends all failures. */
  restore(): void;
  close(): Promise<void>;
}

const THAW_LOOK_MS = 50;

interface Parcel {
  bytes: Buffer;
  dueAt: number;
}

/** Sends a reset, like a network that lost the connection. A connection that is closing cannot be reset. */
const drop = (socket: Socket): void => {
  if (socket.connecting || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
};

export async function openFaultyProxy(target: { host: string; port: number }): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let frozen = false;
  let refusing = false;
  let delayMs = 0;

  /** Keeps the order, even if the delay changes. */
  const pass = (from: Socket, to: Socket): void => {
    const parcels: Parcel[] = [];
    let timer: NodeJS.Timeout | undefined;
    const deliver = (): void => {
      timer = undefined;
      if (dead.has(from)) return;
      for (let head = parcels[0]; head !== undefined; head = parcels[0]) {
        const wait = frozen ? THAW_LOOK_MS : head.dueAt - Date.now();
        if (wait > 0) {
          timer = setTimeout(deliver, wait);
          return;
        }
        parcels.shift();
        if (!to.write(head.bytes)) from.pause();
      }
    };
    to.on('drain', () => !frozen && from.resume());
    from.on('data', (bytes: Buffer) => {
      parcels.push({ bytes, dueAt: delayMs === 0 ? 0 : Date.now() + delayMs });
      if (timer === undefined) deliver();
    });
    from.once('close', () => clearTimeout(timer));
  };

  const server = createServer((client) => {
    if (refusing) {
      drop(client);
      return;
    }
    client.setNoDelay(true);
    clients.add(client);
    client.once('close', () => clients.delete(client));
    const upstream = connect({ ...target, noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        if (dead.has(socket)) return;
        client.destroy();
        upstream.destroy();
      });
    }
    pass(client, upstream);
    pass(upstream, client);
    if (frozen) for (const socket of [client, upstream]) socket.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const cut = (): number => {
    const open = sockets.size / 2;
    for (const socket of sockets) drop(socket);
    return Math.ceil(open);
  };
  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    cut,
    refuse() {
      refusing = true;
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    freezeOpen() {
      for (const socket of sockets) {
        dead.add(socket);
        socket.pause();
      }
    },
    delay(ms) {
      delayMs = ms;
    },
    say(bytes) {
      for (const client of clients) client.write(bytes);
    },
    restore() {
      frozen = false;
      refusing = false;
      delayMs = 0;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
