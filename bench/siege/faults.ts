import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from './engines/engine.js';
import type { Installation } from './installation.js';
import type { Random } from './random.js';
import type { EngineName, Slot } from './slot.js';
import type { Tally } from './tally.js';

export interface FaultPlan {
  /** Duration over which the faults are spread, in milliseconds. */
  spanMs: number;
  /** Number of faults of each kind. */
  kills: number;
  /** Longest time for which a worker hangs, in milliseconds. */
  longestHangMs: number;
  /** The siege's engines, and how often each is stopped and started. */
  engines: Partial<Record<EngineName, Engine>>;
  outages: number;
}

const BUSY_LOOK_MS = 100;

/** Each kind of fault has its own loop, so that faults coincide at random. Resolves when all are done. */
export async function wreak(
  installation: Installation,
  plan: FaultPlan,
  { random, tally, log }: { random: Random; tally: Tally; log: (line: string) => void },
): Promise<void> {
  const endAt = Date.now() + plan.spanMs;

  /** A fault may last until the next one of its kind. */
  async function spreadOut(name: string, times: number, fault: (n: number, chance: Random) => Promise<void>) {
    const chance = random.fork();
    const healing: Promise<void>[] = [];
    for (let n = 0; n < times; n += 1) {
      const each = Math.max(0, endAt - Date.now()) / (times - n);
      await sleep(each * (0.3 + 0.6 * chance.next()));
      healing.push(fault(n, chance).then(() => tally.add(`faults: ${name}`)));
    }
    await Promise.all(healing);
  }

  /** One at a time, because only a running engine can be stopped. */
  function inTurn<A extends unknown[]>(work: (...given: A) => Promise<void>): (...given: A) => Promise<void> {
    let last = Promise.resolve();
    return (...given) => {
      last = last.then(() => work(...given));
      return last;
    };
  }

  /** Reserves one of these slots for a fault. */
  async function alone(slots: [Slot, ...Slot[]], chance: Random, work: (slot: Slot) => Promise<void>) {
    for (;;) {
      const slot = chance.pick(slots);
      if (!slot.busy && slot.process !== null) {
        slot.busy = true;
        try {
          return await work(slot);
        } finally {
          slot.busy = false;
        }
      }
      await sleep(BUSY_LOOK_MS);
    }
  }

  const killed = async (slot: Slot, chance: Random): Promise<void> => {
    await slot.kill();
    await sleep(chance.between(0, 1500));
    await slot.start();
  };

  const hung = async (slot: Slot, chance: Random): Promise<void> => {
    slot.hang();
    await sleep(chance.between(500, plan.longestHangMs));
    if (chance.chance(0.5)) return killed(slot, chance);
    // It resumes work that others may have taken over.
    slot.goOn();
  };

  const cutLine = async (engine: EngineName, chance: Random): Promise<void> => {
    const proxies = installation.slots.flatMap(({ proxies }) => proxies[engine] ?? []);
    const proxy = proxies[chance.between(0, proxies.length - 1)];
    if (proxy === undefined) return;
    const how = chance.next();
    if (how < 0.2) {
      proxy.refuse();
      proxy.cut();
      await sleep(chance.between(500, 3000));
    } else if (how < 0.35) {
      proxy.freeze();
      await sleep(chance.between(1000, 8000));
    } else if (how < 0.45) {
      proxy.delay(chance.between(20, 200));
      await sleep(5000);
    }
    proxy.cut();
    proxy.restore();
  };

  const outage = (name: EngineName, engine: Engine) =>
    spreadOut(
      `${name} stopped and started`,
      plan.outages,
      inTurn(async (n, chance) => {
        const how = n % 2 === 0 ? 'term' : 'kill';
        log(`${name}: ${how === 'term' ? 'stopped' : 'killed'}`);
        await engine.stop(how);
        await sleep(chance.between(1000, 8000));
        await engine.start();
        log(`${name}: back`);
      }),
    );

  const { apis, workers } = installation;
  await Promise.all([
    spreadOut('api killed', plan.kills, (_, chance) => alone(apis, chance, (slot) => killed(slot, chance))),
    spreadOut('worker killed', plan.kills, (_, chance) =>
      alone(workers, chance, (slot) => killed(slot, chance)),
    ),
    spreadOut('worker hung', plan.kills, (_, chance) => alone(workers, chance, (slot) => hung(slot, chance))),
    ...(['database', 'queue', 'storage'] as const).map((engine) =>
      spreadOut(`${engine} connections cut`, plan.kills, (_, chance) => cutLine(engine, chance)),
    ),
    ...Object.entries(plan.engines).map(([name, engine]) => outage(name as EngineName, engine)),
  ]);
}

/** Restores all processes and connections. */
export async function ceaseFire({ slots }: Installation): Promise<void> {
  for (const { proxies } of slots) for (const proxy of Object.values(proxies)) proxy.restore();
  for (const slot of slots) {
    slot.goOn();
    while (slot.process === null) await sleep(BUSY_LOOK_MS);
  }
}
