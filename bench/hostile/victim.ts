import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './orders.js';

export interface Reading extends Answer {
  /** Most resident memory of the process while it read, beyond what it had idle. MiB. */
  peakMb: number;
}

/** A worker process that can be attacked, and that is started anew when it dies of it. */
export interface Victim {
  read(order: Order): Promise<Reading>;
  stop(): void;
}

const SAMPLE_MS = 20;

export async function startVictim(limits: readonly number[]): Promise<Victim> {
  let child = await spawn();
  let idleMb = memoryOf(child, 'VmRSS');

  async function spawn(): Promise<ChildProcess> {
    const started = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), limits.map(String), {
      execArgv: ['--import=tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(started, 'message');
    return started;
  }

  async function read(order: Order): Promise<Reading> {
    const start = performance.now();
    let peakMb = 0;
    const forgets = forgetPeak(child);
    const sampler = setInterval(() => {
      peakMb = Math.max(peakMb, memoryOf(child, 'VmRSS'));
    }, SAMPLE_MS);
    const answered = new Promise<Answer>((resolve) => {
      const died = () =>
        resolve({
          code: 'THE PROCESS DIED',
          message: '',
          chars: 0,
          ms: performance.now() - start,
          blockedMs: 0,
        });
      child.once('exit', died);
      child.once('message', (answer) => {
        child.off('exit', died);
        resolve(answer as Answer);
      });
    });
    child.send(order);
    const answer = await answered;
    clearInterval(sampler);
    if (forgets) peakMb = Math.max(peakMb, memoryOf(child, 'VmHWM'));
    const reading = { ...answer, peakMb: Math.max(0, peakMb - idleMb) };
    if (child.exitCode !== null || child.signalCode !== null) {
      child = await spawn();
      idleMb = memoryOf(child, 'VmRSS');
    }
    return reading;
  }

  return { read, stop: () => child.kill() };
}

/** MiB; 0 when the process is gone. */
function memoryOf({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

/** Lets the kernel count the peak anew (proc(5), clear_refs). False where that is not allowed. */
function forgetPeak({ pid }: ChildProcess): boolean {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return true;
  } catch {
    return false;
  }
}
