import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { scripts } from './scripts.js';

/** @import { Log } from 'cadre/plugin' */

const CONNECT_MS = 5000;
/** Redis answers in milliseconds: silence for so long is a lost connection that nobody has told us about. */
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
    // A command that cannot be sent fails at once: the caller knows better when to try again.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
  });

/** @typedef {ReturnType<typeof newClient>} Client */

/** Another installation has the prefix. */
export class ClaimRefused extends Error {
  /** @param {string} prefix @param {string} owner */
  constructor(prefix, owner) {
    super(
      `the keys with the prefix "${prefix}" belong to another installation (${owner.slice(0, 12)}). Give each a prefix of its own. If the other one is gone, run \`npx cadre installation adopt\``,
    );
  }
}

/** What only an operator can change: the URL, credentials, rights, database number, keys of another program, a cluster. */
const isRefusal = (/** @type {Error} */ error) =>
  error instanceof TypeError ||
  error instanceof ClaimRefused ||
  /^(WRONGPASS|NOAUTH|NOPERM|WRONGTYPE|MOVED|CROSSSLOT|ERR (AUTH|DB index|invalid DB|unknown command))/.test(
    error.message,
  );

/**
 * Rejects when the promise has not settled in time.
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
 * One connection that comes back. `setup` runs on each new one before anybody else may use it.
 * @param {{ url: string, name: string, log: Log, mostPauseMs: number, setup?: (client: Client) => Promise<unknown> }} options
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

  /** Connects, and rejects when that fails or the connection is lost. */
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
    /** Settles when the first try to connect has ended; rejects when more tries would end the same way. */
    firstTry: () => firstTry,

    /** Why nothing can be sent now; null when all is well. */
    trouble: () => (current === null ? `no connection to Redis: ${trouble}` : null),

    /** For how long it has been back, in milliseconds; Infinity while it was never lost. */
    backFor: () => (connections > 1 ? Date.now() - connectedAt : Number.POSITIVE_INFINITY),

    /**
     * Runs commands on the live connection; gives that up when there is no answer in time.
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
        // The client only says that it was ended, not why.
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
