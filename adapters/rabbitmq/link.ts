import { type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import { brokerAddress } from './broker-address.js';
import { refusalOf } from './refusal.js';

/** A connection that reconnects automatically and runs `setup` after every reconnection. */
export interface Link {
  /** Returns the open connection; null while disconnected. */
  model(): ChannelModel | null;
  /** Returns why messages cannot be sent; null if they can. */
  trouble(): string | null;
  /** Closes the connection. The reconnection also restores lost channels and deleted queues. */
  renew(why: string): void;
  /** Resolves after the first attempt to connect. Rejects with instructions if a retry cannot succeed. */
  firstTry(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Heartbeat interval in seconds. The broker closes a connection after two to three missed heartbeats, usually before
 * the leases of its worker expire. If a lease expires first, the next attempt may be delivered to the same dead
 * connection, which costs one delivery.
 */
const HEARTBEAT_S = 4;
const CONNECT_TIMEOUT_MS = 10_000;

const withHeartbeat = (url: string): string => {
  const parsed = new URL(url);
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', String(HEARTBEAT_S));
  return parsed.href;
};

export const openLink = async (options: {
  url: string;
  /** Name of the connection in RabbitMQ management. */
  name: string;
  log: Log;
  setup: (model: ChannelModel) => Promise<void>;
}): Promise<Link> => {
  const log = options.log.child({ connection: options.name });
  let current: ChannelModel | null = null;
  let away = 'not connected yet';
  let blocked: string | null = null;

  const setup = async (model: ChannelModel): Promise<void> => {
    let lost: Error | null = null;
    // The driver's recovery watches the connection only after this function has returned.
    model.on('error', (error) => log.debug({ err: error }, 'connection error'));
    model.once('close', (error) => {
      lost = error ?? new Error('connection closed');
      if (current === model) current = null;
    });
    await options.setup(model);
    if (lost !== null) throw lost;
    current = model;
  };

  const { url, tls } = brokerAddress(options.url);
  const recovering: RecoveringChannelModel = await connect(withHeartbeat(url), {
    ...tls,
    clientProperties: { connection_name: options.name },
    timeout: CONNECT_TIMEOUT_MS,
    noDelay: true,
    recovery: { initialDelay: 200, maxDelay: 5_000, waitForConnect: false, setup },
  });

  const firstTry = new Promise<void>((resolve, reject) => {
    recovering.once('connect', () => resolve());
    recovering.once('connect-failed', (error: Error) => {
      const refusal = refusalOf(error, options.url);
      if (refusal === null) resolve();
      else reject(new Error(refusal, { cause: error }));
    });
  });
  firstTry.catch(() => undefined);

  recovering.on('connect', () => log.info({}, 'connected to RabbitMQ'));
  recovering.on('disconnect', (error) => {
    current = null;
    blocked = null;
    away = error.message;
    log.warn({ err: error }, 'lost the connection to RabbitMQ');
  });
  recovering.on('connect-failed', (error) => {
    current = null;
    const refusal = refusalOf(error, options.url);
    away = refusal ?? (error.message || String(error));
    // Log a known refusal without the driver's stack trace, which adds no information.
    log.warn(refusal === null ? { err: error } : { why: refusal }, 'no connection to RabbitMQ');
  });
  recovering.on('blocked', (reason) => {
    blocked = reason;
    log.warn({ reason }, 'RabbitMQ accepts no messages');
  });
  recovering.on('unblocked', () => {
    blocked = null;
    log.info({}, 'RabbitMQ accepts messages again');
  });
  recovering.on('error', (error) => log.debug({ err: error }, 'connection error'));

  return {
    model: () => current,
    trouble: () => {
      if (current === null) return `no connection to RabbitMQ: ${away}`;
      return blocked === null ? null : `RabbitMQ accepts no messages: ${blocked}`;
    },
    renew: (why) => {
      const model = current;
      // A closing connection closes its channels first, so wait and act only if the connection stays open.
      setImmediate(() => {
        if (model === null || current !== model) return;
        current = null;
        log.warn({ why }, 'reconnecting to RabbitMQ');
        model.close().catch((error) => log.debug({ err: error }, 'was closed already'));
      });
    },
    firstTry: () => firstTry,
    close: () => recovering.close(),
  };
};
