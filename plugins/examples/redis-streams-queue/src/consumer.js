import { setTimeout as pause } from 'node:timers/promises';
import { HANDED_BACK } from './keys.js';

/**
 * @import { Log } from 'cadre/plugin'
 * @import { Entry } from './entry.js'
 * @import { Link } from './link.js'
 */

/** How long a read waits, and so how late at most an entry is seen that somebody handed back or left behind. */
const LOOK_MS = 250;
const AFTER_TROUBLE_MS = 500;
const ANSWER_MS = 5000;

/**
 * @typedef {object} ConsumerOptions
 * @property {Link} link for everything that answers at once
 * @property {Link} reading of this consumer alone: its reads wait; closed when the consumer is
 * @property {() => Promise<unknown>} repair makes what this consumer needs, should somebody have deleted it
 * @property {string} stream
 * @property {string} group
 * @property {string} name of nobody else, ever
 * @property {string} open
 * @property {string} alive
 * @property {number} leaseMs
 * @property {number} slots
 * @property {number} limit deliveries of one entry; 0 = any number
 * @property {(entry: Entry, signal: AbortSignal) => Promise<void>} work resolves: done; rejects: deliver it again.
 *   The signal aborts when the consumer wants to end
 * @property {Log} log
 */

/**
 * Takes entries of a group, at most `slots` at a time, and holds none that it does not work on. It has a lease, a key that
 * it renews while its process lives: what belongs to a name without a lease is taken over by whoever has a free slot.
 * @param {ConsumerOptions} options
 */
export const startConsumer = (options) => {
  const { link, reading, repair, stream, group, name, open, leaseMs, slots, limit, work, log } = options;
  const leaseKey = options.alive + name;
  const ending = new AbortController();
  const { signal } = ending;
  /** @type {Map<string, Promise<void>>} */
  const running = new Map();
  /** What runs has its last delivery: nothing may run beside it. */
  let alone = false;
  /** Something with its last delivery waits until a worker has nothing else to do. */
  let draining = false;
  /** An answer was lost, and entries with it: they are ours without our knowing. */
  let uncertain = false;
  let abandoned = false;
  let leasedUntil = 0;
  let nextLook = 0;
  /** @type {() => void} */
  let wake = () => undefined;

  const renew = async () => {
    const from = Date.now();
    await link.run((client) => client.renew(stream, leaseKey, group, name, leaseMs));
    leasedUntil = from + leaseMs;
  };
  const renewing = setInterval(() => renew().catch(() => undefined), leaseMs / 4);

  /** Whether the entry is done or goes back is said until Redis has heard it: meanwhile it is ours, and nobody else's. */
  const insist = async (/** @type {() => Promise<unknown>} */ say) => {
    while (!abandoned) {
      try {
        return await say();
      } catch (error) {
        log.debug({ err: error }, 'Redis has not heard how a delivery ended; saying it again');
        await pause(LOOK_MS);
        await repair().catch(() => undefined);
      }
    }
  };

  const settle = (/** @type {Entry} */ { id, fields }) =>
    insist(() => link.run((client) => client.settle(stream, open, group, id, fields.id ?? '')));

  const handBack = (/** @type {Entry} */ { id }, begun = true) =>
    insist(async () => {
      await link.run((client) => client.handBack(stream, group, name, id, HANDED_BACK, begun ? 0 : 1));
      nextLook = 0;
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
    // After a pause of this process, what it runs may have been given away, and come back.
    if (running.has(entry.id)) return;
    const performed = perform(entry).finally(() => {
      running.delete(entry.id);
      alone &&= running.size > 0;
      wake();
    });
    running.set(entry.id, performed);
  };

  /** What came although we want to end by now goes back as if it had never come. */
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

  /** Entries whose owner is gone. Redis was away: its clients come back one by one, so nobody is believed dead yet. */
  const adopt = async () => {
    const tooEarly = (Date.now() < nextLook && !draining) || link.backFor() < leaseMs;
    if (tooEarly) return { mode: 'several', entries: [] };
    nextLook = Date.now() + LOOK_MS;
    const free = slots - running.size;
    const idle = running.size === 0 ? 1 : 0;
    const reply = await link.run((client) =>
      client.adopt(stream, group, name, free, limit, idle, options.alive, HANDED_BACK),
    );
    const [mode, taken] = /** @type {[string, [string, number, string[]][]]} */ (reply);
    const entries = taken.map(([id, deliveries, flat]) => ({ id, deliveries, fields: paired(flat) }));
    return { mode, entries };
  };

  /** New entries; waits a little for one. */
  const read = async () => {
    const COUNT = slots - running.size;
    /** @type {{ messages: { id: string, message: Record<string, string> }[] }[] | null} */
    const streams = await reading.run(
      (client) => client.xReadGroup(group, name, { key: stream, id: '>' }, { COUNT, BLOCK: LOOK_MS }),
      LOOK_MS + ANSWER_MS,
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
    if (draining) return void (await Promise.race([somethingEnds(), pause(LOOK_MS)]));
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
        log.warn({ err: error }, 'cannot take anything from Redis now');
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
    /** No new deliveries. Resolves when no work is under way any more. */
    end: () => {
      finishing ??= finish();
      return finishing;
    },
    /** Gives up what is under way: others take it over at once. */
    abandon: leave,
  };
};

/** @typedef {ReturnType<typeof startConsumer>} Consumer */

/** @param {string[]} flat fields and values in turn */
const paired = (flat) => {
  /** @type {Record<string, string>} */
  const fields = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i] ?? ''] = flat[i + 1] ?? '';
  return fields;
};
