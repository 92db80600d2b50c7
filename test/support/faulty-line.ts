import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The network between one client and one server, as it fails: connections pass through here. */
export interface FaultyLine {
  port: number;
  /** The address of the server, by way of this line. */
  through(url: string): string;
  /** Ends every connection at once; gives back how many there were. New ones pass. */
  cut(): number;
  /** From now on new connections are ended; those that are there stay. */
  refuse(): void;
  /** Nothing passes in either direction, and neither side learns what the other does; new connections hang, too. */
  freeze(): void;
  /** Nothing passes on the connections of this moment any more, not even their end. New ones pass. */
  freezeOpen(): void;
  /** What is sent from now on comes so many milliseconds later. */
  delay(ms: number): void;
  /** Every client hears this as if the server had said it. Nothing else may be on its way. */
  say(bytes: Buffer): void;
  /** All is well again. */
  restore(): void;
  close(): Promise<void>;
}

const THAW_LOOK_MS = 50;

interface Parcel {
  bytes: Buffer;
  dueAt: number;
}

/** A reset, as from a network that lost the connection; what is being closed already cannot be reset any more. */
const drop = (socket: Socket): void => {
  if (socket.connecting || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
};

export async function openFaultyLine(target: { host: string; port: number }): Promise<FaultyLine> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let frozen = false;
  let refusing = false;
  let delayMs = 0;

  /** Passes on in order, also while the delay changes. */
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
