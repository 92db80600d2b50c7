import { type ChannelModel, connect, type RecoveringChannelModel } from 'amqplib';
import type { Log } from '../../core/ports/log.port.js';
import { brokerAddress } from './broker-address.js';
import { refusalOf } from './refusal.js';

/** One connection that comes back: what it carries is made anew by `setup` after every return of the broker. */
export interface Link {
  /** The live connection; null while the broker is away. */
  model(): ChannelModel | null;
  /** Why nothing can be sent now; null when all is well. */
  trouble(): string | null;
  /** Gives the connection up, so that recovery starts over: heals lost channels and deleted queues alike. */
  renew(why: string): void;
  /**
   * Resolves when the first try to connect has ended; rejects with what to do when more tries would end the same way.
   */
  firstTry(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The broker gives up a silent connection after two to three of these. By then, as a rule, the lease of
 * what its worker held has not ended. If it has, the next attempt may go to the same silent worker first,
 * and costs a delivery.
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
    // Recovery listens to the connection only once this function is done.
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
    // Once it is in words, the driver's stack tells an operator nothing more.
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
      // Channels close before their connection does: only when that stays open is there something to do.
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
