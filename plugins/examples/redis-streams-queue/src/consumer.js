import { setTimeout as pause } from 'node:timers/promises';
import { HANDED_BACK } from './keys.js';

/**
 * @import { Log } from 'cadre/plugin'
 * @import { Entry } from './entry.js'
 * @import { Link } from './link.js'
 */

/** Timeout of a blocking read, and so the maximum delay before returned or abandoned entries are taken. */
const POLL_MS = 250;
const AFTER_TROUBLE_MS = 500;
const ANSWER_MS = 5000;

/**
 * @typedef {object} ConsumerOptions
 * @property {Link} link for commands that answer at once
 * @property {Link} reading for the blocking reads of this consumer; closed with it
 * @property {() => Promise<unknown>} repair recreates deleted groups
 * @property {string} stream
 * @property {string} group
 * @property {string} name never reused
 * @property {string} open
 * @property {string} alive
 * @property {number} leaseMs
 * @property {number} slots
 * @property {number} limit deliveries of one entry; 0 = unlimited
 * @property {(entry: Entry, signal: AbortSignal) => Promise<void>} work resolves when done; rejects to be delivered
 * again. The signal aborts when the consumer wants to end
 * @property {Log} log
 */

/**
 * Takes at most `slots` entries of a group at a time. The consumer renews a lease key while its process lives;
 * entries of a consumer without lease are taken over by any consumer with a free slot.
 * @param {ConsumerOptions} options
 */
export const startConsumer = (options) => {
  const { link, reading, repair, stream, group, name, open, leaseMs, slots, limit, work, log } = options;
  const leaseKey = options.alive + name;
  const ending = new AbortController();
  const { signal } = ending;
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  /** An entry with its last delivery runs alone. */
  let alone = false;
  /** Waiting to be idle for an entry with its last delivery. */
  let draining = false;
  /** A reply was lost: entries may be ours without our knowledge. */
  let uncertain = false;
  let abandoned = false;
  let leasedUntil = 0;
  let nextCheck = 0;
  /** @type {() => void} */
  let wake = () => undefined;

  const renew = async () => {
    const from = Date.now();
    await link.run((client) => client.renew(stream, leaseKey, group, name, leaseMs));
    leasedUntil = from + leaseMs;
  };
  const renewing = setInterval(() => renew().catch(() => undefined), leaseMs / 4);

  /** Repeats until Redis has confirmed; the entry stays ours until then. */
  const insist = async (/** @type {() => Promise<unknown>} */ say) => {
    while (!abandoned) {
      try {
        return await say();
      } catch (error) {
        log.debug({ err: error }, 'Redis did not confirm the end of a delivery; trying again');
        await pause(POLL_MS);
        await repair().catch(() => undefined);
      }
    }
  };

  const settle = (/** @type {Entry} */ { id, fields }) =>
    insist(() => link.run((client) => client.settle(stream, open, group, id, fields.id ?? '')));

  const handBack = (/** @type {Entry} */ { id }, begun = true) =>
    insist(async () => {
      await link.run((client) => client.handBack(stream, group, name, id, HANDED_BACK, begun ? 0 : 1));
      nextCheck = 0;
    });

  const perform = async (/** @type {Entry} */ entry) => {
    try {
      await work(entry, signal);
    } catch (error) {
      const { task, attempt } = entry.fields;
      log.warn({ err: error, taskId: task, attempt, deliveries: entry.deliveries }, 'handed back');
      await handBack(entry);
      return;
    }
    await settle(entry);
  };

  const begin = (/** @type {Entry} */ entry) => {
    // While this process was suspended, its entry may have been reassigned to it.
    if (running.has(entry.id)) return;
    const performed = perform(entry).finally(() => {
      running.delete(entry.id);
      alone &&= running.size > 0;
      wake();
    });
    running.set(entry.id, performed);
  };

  /** Entries received while ending are returned without counting a delivery. */
  const take = async (/** @type {Entry[]} */ entries) => {
    for (const entry of entries) {
      if (signal.aborted) await handBack(entry, false);
      else begin(entry);
    }
  };

  const somethingEnds = () =>
    new Promise((resolve) => {
      wake = () => resolve(undefined);
    });

  const handBackUnknown = async () => {
    const ours = await link.run((client) =>
      client.xPendingRange(stream, group, '-', '+', 2 * slots, { consumer: name }),
    );
    for (const { id } of ours) if (!running.has(id)) await handBack({ id, deliveries: 0, fields: {} }, false);
    uncertain = false;
  };

  /**
   * Takes over entries of dead consumers. After an outage of Redis, consumers reconnect one by one, so their leases
   * are not checked at first.
   */
  const adopt = async () => {
    const tooEarly = (Date.now() < nextCheck && !draining) || link.backFor() < leaseMs;
    if (tooEarly) return { mode: 'several', entries: [] };
    nextCheck = Date.now() + POLL_MS;
    const free = slots - running.size;
    const idle = running.size === 0 ? 1 : 0;
    const reply = await link.run((client) =>
      client.adopt(stream, group, name, free, limit, idle, options.alive, HANDED_BACK),
    );
    const [mode, taken] = /** @type {[string, [string, number, string[]][]]} */ (reply);
    const entries = taken.map(([id, deliveries, flat]) => ({ id, deliveries, fields: paired(flat) }));
    return { mode, entries };
  };

  /** Reads new entries, with a blocking wait. */
  const read = async () => {
    const COUNT = slots - running.size;
    /** @type {{ messages: { id: string, message: Record<string, string> }[] }[] | null} */
    const streams = await reading.run(
      (client) => client.xReadGroup(group, name, { key: stream, id: '>' }, { COUNT, BLOCK: POLL_MS }),
      POLL_MS + ANSWER_MS,
    );
    return (streams ?? []).flatMap(({ messages }) =>
      messages.map(({ id, message }) => ({ id, deliveries: 1, fields: { ...message } })),
    );
  };

  const turn = async () => {
    if (Date.now() > leasedUntil - leaseMs / 2) await renew();
    if (uncertain) await handBackUnknown();
    if (alone || running.size >= slots) return void (await somethingEnds());
    const { mode, entries } = await adopt();
    alone = mode === 'alone' && entries.length > 0;
    draining = mode === 'drain';
    await take(entries);
    if (draining) return void (await Promise.race([somethingEnds(), pause(POLL_MS)]));
    if (alone || running.size >= slots || signal.aborted) return;
    await take(await read());
  };

  const loop = async () => {
    await reading.firstTry().catch(() => undefined);
    while (!signal.aborted) {
      try {
        await turn();
      } catch (error) {
        uncertain = true;
        if (signal.aborted) return;
        log.warn({ err: error }, 'cannot read from Redis');
        await pause(AFTER_TROUBLE_MS);
        await repair().catch(() => undefined);
      }
    }
  };
  const looped = loop();

  const leave = async () => {
    clearInterval(renewing);
    abandoned = true;
    await link.run((client) => client.leave(stream, leaseKey, group, name)).catch(() => undefined);
    await reading.close();
  };

  const finish = async () => {
    ending.abort();
    wake();
    await looped;
    await Promise.all(running.values());
    await leave();
  };
  /** @type {Promise<void> | null} */
  let finishing = null;

  return {
    /** Takes no more entries. Resolves when no work is running. */
    end: () => {
      finishing ??= finish();
      return finishing;
    },
    /** Gives up running work, so that other consumers take it over at once. */
    abandon: leave,
  };
};

/** @typedef {ReturnType<typeof startConsumer>} Consumer */

/** @param {string[]} flat alternating fields and values */
const paired = (flat) => {
  /** @type {Record<string, string>} */
  const fields = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i] ?? ''] = flat[i + 1] ?? '';
  return fields;
};
