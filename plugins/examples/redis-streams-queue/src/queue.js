import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startConsumer } from './consumer.js';
import { attemptId, encodeEvent, encodeTask, eventOf, identityOf, taskOf } from './entry.js';
import { API, keysOf, WORKERS } from './keys.js';
import { ClaimRefused, openLink, within } from './link.js';
import { warnOfDataLoss } from './server-check.js';

/**
 * @import { PluginContext, Queue, Started, TaskEvent } from 'cadre/plugin'
 * @import { Consumer, ConsumerOptions } from './consumer.js'
 * @import { Entry } from './entry.js'
 * @import { Client } from './link.js'
 */

/** @typedef {{ url: string, prefix: string, capacity: number, leaseMs: number }} RedisStreamsOptions */

/** Concurrent events per API process. */
const EVENT_SLOTS = 64;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 10_000;
const EMIT_PAUSE_MS = 500;

const stopped = () => Promise.reject(new Error('the Redis queue is stopped'));

/** The URL must not be in a message, because it contains a password. */
const checkUrl = (/** @type {string} */ url) => {
  if (!URL.canParse(url)) throw new Error('option url is not a valid URL; are special characters escaped?');
};

/**
 * Starts even if Redis is down (`health` reports it); rejects if Redis refuses the connection.
 * @param {PluginContext<RedisStreamsOptions, 'queue'>} context
 * @returns {Promise<Started<Queue>>}
 */
export const startQueue = async ({ options, log, role, processName, maxDeliveries, claim }) => {
  const { url, prefix, capacity, leaseMs } = options;
  checkUrl(url);
  const keys = keysOf(prefix);
  /** @type {Set<Consumer>} */
  const consumers = new Set();
  let over = false;

  /** Claims the prefix. Rejects if another installation has it, unless this one adopts it. */
  const claimPrefix = async (/** @type {Client} */ client) => {
    if (claim === undefined) return;
    const ours = await claim.installation();
    if (claim.adopts) await client.set(keys.claim, ours);
    else await client.setNX(keys.claim, ours);
    const owner = await client.get(keys.claim);
    if (owner !== ours) throw new ClaimRefused(prefix, owner ?? 'none');
  };

  /** Both groups start at the first entry, so that entries published before the group existed are not lost. */
  const makeGroups = async (/** @type {Client} */ client) => {
    for (const [stream, group] of /** @type {const} */ ([
      [keys.tasks, WORKERS],
      [keys.events, API],
    ])) {
      await client.xGroupCreate(stream, group, '0', { MKSTREAM: true }).catch((error) => {
        if (!error.message.startsWith('BUSYGROUP')) throw error;
      });
    }
  };

  // After an outage of Redis, all consumers reconnect and renew their leases before leases are checked again.
  const mostPauseMs = Math.min(2000, leaseMs / 2);
  const link = openLink({
    url,
    mostPauseMs,
    name: `${prefix}:${processName}`,
    log,
    setup: async (client) => {
      await claimPrefix(client);
      await makeGroups(client);
      if (role === 'api') await warnOfDataLoss(client, log).catch(() => undefined);
    },
  });

  /** @param {Pick<ConsumerOptions, 'stream' | 'group' | 'slots' | 'limit' | 'work'>} specific */
  const consume = async (specific) => {
    const consumer = startConsumer({
      ...specific,
      link,
      reading: openLink({ url, mostPauseMs, name: `${prefix}:${processName}:${specific.group}`, log }),
      repair: () => link.run(makeGroups),
      name: `${processName}:${randomUUID().slice(0, 8)}`,
      open: keys.open,
      alive: keys.alive,
      leaseMs,
      log,
    });
    consumers.add(consumer);
    return async () => {
      await consumer.end();
      consumers.delete(consumer);
    };
  };

  const publish = async (/** @type {import('cadre/plugin').TaskMessage} */ task) => {
    try {
      const fields = encodeTask(task);
      const taken = await link.run((client) =>
        client.addTask(keys.tasks, keys.open, capacity, attemptId(task), ...fields),
      );
      return taken === 1;
    } catch (error) {
      log.debug({ err: error, taskId: task.taskId, attempt: task.attempt }, 'not published');
      return false;
    }
  };

  /** Retries without limit, because giving up would return the task and use up its deliveries. */
  const emit = async (/** @type {TaskEvent} */ event) => {
    const fields = encodeEvent(event);
    while (!over) {
      try {
        if ((await link.run((client) => client.addEvent(keys.events, capacity, ...fields))) === 1) return;
        log.debug({ capacity }, 'the stream of events is full: offered again');
      } catch (error) {
        log.debug({ err: error }, 'the event was not accepted: offered again');
      }
      await pause(EMIT_PAUSE_MS);
    }
    return stopped();
  };

  /** @param {Entry} entry */
  const bury = async (entry) => {
    const attempt = identityOf(entry);
    if (attempt === null) {
      log.error({ entry: entry.id, stream: keys.tasks }, 'not a task: dropped');
      return;
    }
    const reason =
      taskOf(entry) === null
        ? 'the task message is damaged'
        : 'the task was returned by its workers, or lost with them, too often';
    await emit({ ...attempt, kind: 'dead', worker: 'redis-streams', reason });
  };

  /**
   * Retries an event whose handler fails, with pauses; other events continue.
   * @param {Entry} entry
   * @param {AbortSignal} signal
   * @param {(event: TaskEvent) => Promise<void>} handler
   */
  const hear = async (entry, signal, handler) => {
    const event = eventOf(entry);
    if (event === null) return log.error({ entry: entry.id, stream: keys.events }, 'not an event: dropped');
    for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(LAST_RETRY_MS, 2 * pauseMs)) {
      try {
        return await handler(event);
      } catch (error) {
        const { taskId, attempt, kind } = event;
        log.warn({ err: error, taskId, attempt, kind }, 'event handler failed, trying again');
        await pause(pauseMs * (0.75 + Math.random() / 2), undefined, { signal });
      }
    }
  };

  /** @type {Queue} */
  const port = {
    capabilities: { durable: true, remoteWorkers: true },

    publish: async (messages) => (over ? stopped() : Promise.all(messages.map(publish))),
    emit: async (event) => (over ? stopped() : emit(event)),

    onTask: async (slots, handler) => {
      if (over) return stopped();
      return consume({
        stream: keys.tasks,
        group: WORKERS,
        slots,
        limit: maxDeliveries,
        work: async (entry) => {
          const task = taskOf(entry);
          return task === null || entry.deliveries > maxDeliveries ? bury(entry) : handler(task);
        },
      });
    },

    onEvent: async (handler) => {
      if (over) return stopped();
      return consume({
        stream: keys.events,
        group: API,
        slots: EVENT_SLOTS,
        limit: 0,
        work: (entry, signal) => hear(entry, signal, handler),
      });
    },

    depth: async () => {
      if (over) return stopped();
      if (link.trouble() !== null) return { waiting: null, consumers: null };
      const counts = await link.run((client) => client.depth(keys.tasks, WORKERS, keys.alive));
      const [waiting, workers] = /** @type {[number, number]} */ (counts);
      return { waiting, consumers: workers };
    },

    health: async () => {
      if (over) return stopped();
      try {
        // A write also fails if Redis is full, read-only or cannot save.
        await link.run((client) => client.set(keys.health, processName, { PX: 60_000 }));
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: /** @type {Error} */ (error).message };
      }
    },
  };

  const stop = async (/** @type {number} */ deadlineMs) => {
    const ended = Promise.all([...consumers].map((consumer) => consumer.end()));
    await within(deadlineMs, ended).catch(async () => {
      log.warn({}, 'stopped while handlers run: their entries return to Redis');
      await within(500, Promise.all([...consumers].map((consumer) => consumer.abandon()))).catch(
        () => undefined,
      );
    });
    over = true;
    await link.close();
  };
  /** @type {Promise<void> | null} */
  let stopping = null;
  /** @type {Started<Queue>} */
  const started = {
    port,
    stop: ({ deadlineMs }) => {
      stopping ??= stop(deadlineMs);
      return stopping;
    },
  };

  try {
    await link.firstTry();
  } catch (error) {
    await started.stop({ deadlineMs: 1000 });
    if (error instanceof ClaimRefused) throw error;
    throw new Error('Redis refuses this installation: check the URL, its user and database number', {
      cause: error,
    });
  }
  log.debug({ role, prefix }, 'queue started');
  return started;
};
