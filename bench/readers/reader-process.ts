import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Answer, Content } from './reader.js';

/** What became of one file. */
export type Reading =
  | { end: 'read'; content: Content; ms: number }
  | { end: 'refused'; code: string | null; message: string; ms: number }
  /** The process ended, or did not answer within the limit. */
  | { end: 'crashed' | 'hung' };

export interface ReaderProcess {
  /** One at a time. */
  read(file: string): Promise<Reading>;
  /** Most resident memory of any process of this reader, MB. */
  peakMb(): number;
  close(): void;
}

/** Loading may take longer than reading on a busy machine. */
const START_LIMIT_MS = 60_000;

/** A process for the reader `module`; after a crash or a hang the next file gets a fresh one. */
export function startReader(module: string, limitMs: number): ReaderProcess {
  let child: ChildProcess | null = null;
  let peakMb = 0;
  let questions = 0;

  async function running(): Promise<ChildProcess> {
    if (child) return child;
    const started = fork(path.join(import.meta.dirname, 'serve.ts'), [module], {
      execArgv: ['--import=tsx'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaints = '';
    started.stderr?.on('data', (part) => {
      complaints = `${complaints}${part}`.slice(-2000);
    });
    const ended = once(started, 'exit').then(() => 'ended');
    const late = AbortSignal.timeout(START_LIMIT_MS);
    const first = await Promise.race([once(started, 'message', { signal: late }), ended]);
    if (first === 'ended') throw new Error(`${path.basename(module)} does not start:\n${complaints}`);
    child = started;
    return started;
  }

  const drop = (process: ChildProcess) => {
    if (child === process) child = null;
    process.kill('SIGKILL');
  };

  return {
    async read(file) {
      const asked = await running();
      questions += 1;
      const id = questions;
      return new Promise<Reading>((resolve) => {
        const end = (reading: Reading) => {
          clearTimeout(clock);
          asked.off('message', hear).off('exit', die);
          resolve(reading);
        };
        const hear = (answer: Answer) => {
          if (answer.id !== id) return;
          peakMb = Math.max(peakMb, answer.peakMb);
          const { ms } = answer;
          if ('content' in answer) end({ end: 'read', content: answer.content, ms });
          else end({ end: 'refused', ...answer.refusal, ms });
        };
        const die = () => {
          drop(asked);
          end({ end: 'crashed' });
        };
        const clock = setTimeout(() => {
          drop(asked);
          end({ end: 'hung' });
        }, limitMs);
        asked.on('message', hear).on('exit', die);
        asked.send({ id, path: file });
      });
    },
    peakMb: () => peakMb,
    close: () => child?.disconnect(),
  };
}
