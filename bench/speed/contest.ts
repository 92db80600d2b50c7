import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Round } from './contender.js';

/** Rounds before the first that counts: what is measured is a process that runs for weeks, whose code has long been compiled. */
const WARM_UPS = 15;

/**
 * Runs contenders in turn, `rounds` times: whatever else the machine does hits all of them alike. Before each round that
 * counts there is one that does not, because the others have run meanwhile. Rounds of each, by name.
 */
export async function contest(
  modules: Record<string, string>,
  items: string[],
  rounds: number,
): Promise<Map<string, Round[]>> {
  const children = new Map<string, ChildProcess>();
  try {
    for (const [name, module] of Object.entries(modules)) children.set(name, await start(module));
    for (let round = 0; round < WARM_UPS; round += 1)
      for (const [name, child] of children) await run(name, child, items);
    const results = new Map(Object.keys(modules).map((name) => [name, [] as Round[]]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, child] of children) {
        await run(name, child, items);
        results.get(name)?.push(await run(name, child, items));
      }
    }
    return results;
  } finally {
    for (const child of children.values()) child.kill('SIGKILL');
  }
}

async function start(module: string): Promise<ChildProcess> {
  const child = fork(path.join(import.meta.dirname, 'serve-rounds.ts'), [module], {
    execArgv: ['--import=tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await answerOf(path.basename(module), child);
  return child;
}

function run(name: string, child: ChildProcess, items: string[]): Promise<Round> {
  const answer = answerOf<Round>(name, child);
  child.send(items);
  return answer;
}

/** The next message, unless the process ends before it. */
async function answerOf<T>(name: string, child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [answer] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${name} ended with ${code}`);
      }),
    ]);
    return answer;
  } finally {
    over.abort();
  }
}
