import { readFileSync } from 'node:fs';

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [left = 0, right = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (left + right) / 2;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

/** Returns median and p99 of times in milliseconds, named for a table of results. */
export const delayRows = (name: string, times: readonly number[]): Record<string, number> => ({
  [`${name} p50, ms`]: tenths(percentile(times, 0.5)),
  [`${name} p99, ms`]: tenths(percentile(times, 0.99)),
});

/** Rounds to three significant digits, because more would be noise. */
export const shown = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

/** /proc counts hundredths of a second on every Linux that runs Node. */
const TICK_MS = 10;

/** Returns the CPU time of a process in milliseconds; null without /proc. */
export function processorMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}

/** Returns the resident memory of a process in MB; null without /proc. */
export function residentMb(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return null;
  }
}

/** Returns the child processes; none without /proc. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
