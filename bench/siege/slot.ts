import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CadreProcess, startProcess } from '../../test/real/cadre-process.js';
import type { FaultyProxy } from '../../test/support/faulty-proxy.js';
import type { Tally } from './tally.js';

export type EngineName = 'database' | 'queue' | 'storage';

/** Runs one process of the installation and restarts it when it ends, as an orchestrator does. */
export interface Slot {
  name: string;
  role: 'api' | 'worker';
  /** Its proxies to the engines; workers have none to the database. */
  proxies: Partial<Record<EngineName, FaultyProxy>>;
  /** Number of processes started so far. */
  incarnation: number;
  /** A fault is in progress: the process is being killed, suspended or started. */
  busy: boolean;
  process: CadreProcess | null;
  /** Starts a process, and retries if it ends before it is ready, as happens while an engine is down. */
  start(): Promise<void>;
  kill(): Promise<void>;
  hang(): void;
  goOn(): void;
  stop(): Promise<number | null>;
}

const AGAIN_MS = 1000;

export function createSlot(options: {
  name: string;
  role: 'api' | 'worker';
  env: Record<string, string>;
  proxies: Slot['proxies'];
  logFolder: string;
  tally: Tally;
}): Slot {
  const { name, role, env, proxies, logFolder, tally } = options;
  mkdirSync(logFolder, { recursive: true });

  const signal = (what: 'SIGSTOP' | 'SIGCONT'): void => {
    if (slot.process !== null && !slot.process.ended()) process.kill(slot.process.pid, what);
  };
  /** It was not ended by the siege, so it crashed. */
  const watch = async (started: CadreProcess): Promise<void> => {
    await started.exited;
    if (slot.process !== started) return;
    slot.process = null;
    tally.add(`crashes of ${role} processes`);
    console.log(`${name} ended by itself: see ${logFolder}`);
    await slot.start();
  };
  const slot: Slot = {
    name,
    role,
    proxies,
    incarnation: 0,
    busy: false,
    process: null,
    async start() {
      for (;;) {
        slot.incarnation += 1;
        const logFile = join(logFolder, `${name.replace(' ', '-')}.${slot.incarnation}.log`);
        try {
          const started = await startProcess(role, env, logFile);
          slot.process = started;
          void watch(started);
          return;
        } catch {
          tally.add(`starts of ${role} processes that failed while an engine was away`);
        }
        await sleep(AGAIN_MS);
      }
    },
    async kill() {
      const victim = slot.process;
      slot.process = null;
      await victim?.kill();
    },
    hang: () => signal('SIGSTOP'),
    goOn: () => signal('SIGCONT'),
    async stop() {
      const leaving = slot.process;
      slot.process = null;
      return (await leaving?.stop()) ?? null;
    },
  };
  return slot;
}
