import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { scripts } from './scripts.js';

/** @import { Log } from 'cadre/plugin' */

const CONNECT_MS = 5000;
/** Redis answers in milliseconds; longer silence means an undetected connection loss. */
const ANSWER_MS = 5000;
const FIRST_PAUSE_MS = 50;

/**
 * @param {string} url
 * @param {string} name shown by CLIENT LIST
 */
const newClient = (url, name) =>
  createClient({
    url,
    name: name.replaceAll(/[^\x21-\x7e]/g, '-'),
    scripts,
    // A command without connection fails at once, because the caller decides when to retry.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });

/** @typedef {ReturnType<typeof newClient>} Client */

/** The prefix belongs to another installation. */
export class ClaimRefused extends Error {
  /** @param {string} prefix @param {string} owner */
  constructor(prefix, owner) {
    super(
      `the keys with the prefix "${prefix}" belong to another installation (${owner.slice(0, 12)}). Give each its own prefix. If the other one is gone, run \`npx cadre installation adopt\``,
    );
  }
}

/** Errors that only an operator can fix: URL, credentials, rights, database number, keys of another program, a cluster. */
const isRefusal = (/** @type {Error} */ error) =>
  error instanceof TypeError ||
  error instanceof ClaimRefused ||
  /^(WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|MOVED|CROSSSLOT|ERR (AUTH|DB index|invalid DB|unknown command))/.test(
    error.message,
  );

/**
 * Rejects if the promise has not settled in time.
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export const within = (ms, promise) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * Opens a connection that reconnects. `setup` runs on each new connection before other commands.
 * @param {{ url: string, name: string, log: Log, mostPauseMs: number, setup?: (client: Client) => Promise<unknown> }}
 * options
 */
export const openLink = ({ url, name, mostPauseMs, setup = async () => undefined, ...options }) => {
  const log = options.log.child({ connection: name });
  const closing = new AbortController();
  /** @type {Client | null} */
  let current = null;
  let trouble = 'not connected yet';
  let connections = 0;
  let connectedAt = 0;
  /** @type {(error: Error) => void} */
  let lose = () => undefined;
  /** @type {(refusal?: Error) => void} */
  let triedFirst = () => undefined;
  const firstTry = /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      triedFirst = (refusal) => (refusal === undefined ? resolve() : reject(refusal));
    })
  );
  firstTry.catch(() => undefined);

  /** Connects. Rejects when that fails or the connection is lost. */
  const connectOnce = async () => {
    const client = newClient(url, name);
    const lost = new Promise((_, reject) => {
      lose = (error) => {
        trouble = error.message;
        reject(error);
      };
      client.on('error', lose);
    });
    try {
      await Promise.race([
        lost,
        within(
          2 * CONNECT_MS,
          client.connect().then(() => setup(client)),
        ),
      ]);
      current = client;
      connections += 1;
      connectedAt = Date.now();
      log.info({}, connections === 1 ? 'connected to Redis' : 'connected to Redis again');
      triedFirst();
      await lost;
    } finally {
      current = null;
      client.destroy();
    }
  };

  const keepConnected = async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!closing.signal.aborted) {
      const before = connections;
      try {
        await connectOnce();
      } catch (error) {
        const failure = /** @type {Error} */ (error);
        if (closing.signal.aborted) break;
        trouble = failure.message;
        triedFirst(isRefusal(failure) ? failure : undefined);
        log.warn({ err: failure }, 'no connection to Redis');
      }
      pauseMs = connections > before ? FIRST_PAUSE_MS : Math.min(mostPauseMs, pauseMs * 2);
      await pause(pauseMs * (0.75 + Math.random() / 2), undefined, closing).catch(() => undefined);
    }
    triedFirst();
  };
  const kept = keepConnected();

  return {
    /** Settles after the first attempt to connect; rejects if a retry cannot succeed. */
    firstTry: () => firstTry,

    /** Reason why commands fail now; null if connected. */
    trouble: () => (current === null ? `no connection to Redis: ${trouble}` : null),

    /** Milliseconds since the reconnect; Infinity if the connection was never lost. */
    backFor: () => (connections > 1 ? Date.now() - connectedAt : Number.POSITIVE_INFINITY),

    /**
     * Runs a command and drops the connection if there is no reply in time.
     * @template T
     * @param {(client: Client) => Promise<T>} command
     * @param {number} [ms]
     * @returns {Promise<T>}
     */
    run: async (command, ms = ANSWER_MS) => {
      const client = current;
      if (client === null) throw new Error(`no connection to Redis: ${trouble}`);
      const silent = setTimeout(() => {
        if (client === current) lose(new Error(`it has not answered for ${ms} ms`));
      }, ms);
      try {
        return await command(client);
      } catch (error) {
        // The client reports only that it was closed, not why.
        throw client === current ? error : new Error(`no connection to Redis: ${trouble}`, { cause: error });
      } finally {
        clearTimeout(silent);
      }
    },

    close: () => {
      closing.abort();
      lose(new Error('closed'));
      return kept;
    },
  };
};

/** @typedef {ReturnType<typeof openLink>} Link */
