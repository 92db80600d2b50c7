import { median } from '../figures.js';
import type { Round } from './contender.js';

/** Prints rate, processor time and memory of each contender, and how many times faster the first is than the others. */
export function report(results: Map<string, Round[]>, unit: string, perRound: number): void {
  const rates = new Map<string, number[]>();
  for (const [name, rounds] of results) {
    const of = rounds.map(({ seconds }) => perRound / seconds);
    rates.set(name, of);
    const cpu = median(rounds.map(({ cpuSeconds }) => cpuSeconds));
    console.log(
      `${name.padEnd(16)}median ${median(of).toFixed(1)} ${unit}/s  ` +
        `(${of.map((rate) => rate.toFixed(1)).join(', ')})  ` +
        `${((1000 * cpu) / perRound).toFixed(1)} ms of processor per ${unit}  ` +
        `${Math.min(...rounds.map(({ done }) => done))} done  ${Math.max(...rounds.map(({ peakMb }) => peakMb))} MB`,
    );
  }
  const [[first, own = []] = ['', []], ...others] = rates;
  for (const [name, theirs] of others) {
    const ratios = own.map((rate, round) => rate / (theirs[round] ?? rate));
    console.log(
      `${first} / ${name}: ${median(ratios).toFixed(2)} x  (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
}
