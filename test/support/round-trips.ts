import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Test } from 'tap';

/** A message to the database server that expects a response. It may contain several statements. */
export interface DatabaseMessage {
  sql: string;
  /** Number of round trips completed when it was sent, plus one. Messages sent in parallel share a number. */
  wave: number;
}

export interface CountedLine {
  /** The same database through this proxy. */
  through(url: string): string;
  /** Returns the messages during `work`, in order. */
  during(work: () => Promise<unknown>): Promise<DatabaseMessage[]>;
}

/** Relevant commands of the MySQL protocol. */
const QUERY = 0x03;
const PREPARE = 0x16;
const EXECUTE = 0x17;

/** Latency of responses in milliseconds. Parallel messages are sent within this time. */
const LATENCY_MS = 25;

/** Calls `take` with the payload and the sequence number of every packet of the stream. */
function eachPacket(take: (payload: Buffer, sequence: number) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 4) {
      const end = 4 + rest.readUIntLE(0, 3);
      if (rest.length < end) return;
      take(rest.subarray(4, end), rest.readUInt8(3));
      rest = rest.subarray(end);
    }
  };
}

/**
 * Proxies MariaDB with a constant latency and counts round trips by a logical clock: a message is one wave later
 * than the last response that had arrived when it was sent. Ignores the preparation of statements, which happens
 * once per connection, and messages that match `ignore`.
 */
export async function openCountedLine(t: Test, ignore: RegExp | null = null): Promise<CountedLine> {
  let answered = 0;
  let messages: DatabaseMessage[] = [];
  const sockets = new Set<Socket>();

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: '127.0.0.1', port: 3306, noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    const texts = new Map<number, string>();
    let prepared: string | null = null;
    /** The message whose response is pending; null if it is not counted. */
    let asked: { wave: number; by: DatabaseMessage[] } | null = null;
    const sent = eachPacket((payload, sequence) => {
      const [command] = payload;
      if (sequence !== 0) return;
      asked = null;
      prepared = command === PREPARE ? payload.toString('utf8', 1) : null;
      if (command !== QUERY && command !== EXECUTE) return;
      const sql =
        command === QUERY ? payload.toString('utf8', 1) : (texts.get(payload.readUInt32LE(1)) ?? '');
      if (ignore?.test(sql)) return;
      asked = { wave: answered + 1, by: messages };
      messages.push({ sql, wave: asked.wave });
    });
    const received = eachPacket((payload) => {
      if (prepared !== null && payload[0] === 0) texts.set(payload.readUInt32LE(1), prepared);
      prepared = null;
    });
    client.on('data', (bytes: Buffer) => {
      sent(bytes);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      received(bytes);
      const answers = asked;
      setTimeout(() => {
        // Responses to messages that were sent before `during` do not advance the clock.
        if (answers?.by === messages) answered = Math.max(answered, answers.wave);
        if (client.writable) client.write(bytes);
      }, LATENCY_MS);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    through(url) {
      const changed = new URL(url);
      changed.port = String(port);
      return changed.href;
    },
    async during(work) {
      answered = 0;
      messages = [];
      await work();
      return messages;
    },
  };
}
