import { pathToFileURL } from 'node:url';
import type { Contender, Round } from './contender.js';

/** The process of one contender. Usage: fork serve-rounds.ts <module>, then send lists of items. */
const { round } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as Contender;

process.on('message', async (items: string[]) => {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const done = await round(items);
  const cpu = process.cpuUsage(cpuBefore);
  const answer: Round = {
    done,
    seconds: (performance.now() - startedAt) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    peakMb: Math.round(process.resourceUsage().maxRSS / 1024),
  };
  process.send?.(answer);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
