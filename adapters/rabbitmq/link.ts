import { type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import { brokerAddress } from './broker-address.js';
import { refusalOf } from './refusal.js';

/** A connection that recovers: `setup` runs again after every reconnection. */
export interface Link {
  /** The open connection; null while disconnected. */
  model(): ChannelModel | null;
  /** Why nothing can be sent; null if sending works. */
  trouble(): string | null;
  /** Closes the connection to start recovery, which also repairs lost channels and deleted queues. */
  renew(why: string): void;
  /** Resolves after the first attempt to connect. Rejects with instructions if retrying cannot help. */
  firstTry(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The broker closes a connection after two to three missed heartbeats, usually before its worker's leases end. If a
 * lease ends first, the next attempt may be delivered to the same dead connection, which costs one delivery.
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
  /** Shown in RabbitMQ management. */
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
    // Recovery watches the connection only after this function has returned.
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
    // The driver's stack trace adds nothing to a known refusal.
    log.warn(refusal === null ? { err: error } : { why: refusal }, 'no connection to RabbitMQ');
  });
  recovering.on('blocked', (reason) => {
    blocked = reason;
    log.warn({ reason }, 'RabbitMQ takes no messages');
  });
  recovering.on('unblocked', () => {
    blocked = null;
    log.info({}, 'RabbitMQ takes messages again');
  });
  recovering.on('error', (error) => log.debug({ err: error }, 'connection error'));

  return {
    model: () => current,
    trouble: () => {
      if (current === null) return `no connection to RabbitMQ: ${away}`;
      return blocked === null ? null : `RabbitMQ takes no messages: ${blocked}`;
    },
    renew: (why) => {
      const model = current;
      // A closing connection closes its channels first. Act only if the connection stays open.
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
