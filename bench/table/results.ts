import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Lengths } from './lengths.js';
import type { Line } from './line.js';

/** The last run of a part. */
export interface PartRun {
  /** Time, machine and size of the run. */
  settings: string;
  lines: Line[];
}

/** Runs by part. */
export type Runs = Map<string, PartRun>;

export const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);

interface Start {
  at: Date;
  /** Load of the machine before the run. */
  load: string;
}

/** Describes the time, duration and machine load of a run. */
export function machine({ at, load }: Start): string {
  const minutes = ((Date.now() - at.getTime()) / 60_000).toFixed(1);
  const processors = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`;
  return `${at.toISOString().slice(0, 16)}Z, ${minutes} minutes, Node ${process.version}, ${processors}, load average ${load} before and ${loadNow()} after`;
}

export function partRun(start: Start, { rounds, ms }: Lengths, isQuick: boolean, lines: Line[]): PartRun {
  const length = isQuick
    ? '`--quick`: whether it runs, not how fast'
    : `up to ${rounds} rounds, requests of ${ms / 1000} s each`;
  return { settings: `${machine(start)}. ${length}.`, lines };
}

const fileOf = (folder: string): string => `${folder}/table.json`;

export function readRuns(folder: string): Runs {
  const file = fileOf(folder);
  return existsSync(file)
    ? new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, PartRun>))
    : new Map();
}

/** Writes the values as JSON, and the page. */
export function writeResults(folder: string, runs: Runs, page: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(folder), `${JSON.stringify(Object.fromEntries(runs), rounded, 1)}\n`);
  writeFileSync(`${folder}/table.md`, page);
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(4)) : value;
