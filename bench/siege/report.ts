import type { SiegeResult } from './siege.js';
import type { Tally } from './tally.js';

/** Prints events and broken promises; returns true if none was broken. */
export function report(result: SiegeResult, tally: Tally): boolean {
  const { broken, wrong, memory } = result;
  console.log('\nWhat was done, and what clients saw');
  console.table(Object.fromEntries(tally.entries().map(([name, n]) => [name, { times: n }])));
  console.log('\nWhat was promised');
  console.table(Object.fromEntries(Object.entries(broken).map(([name, n]) => [name, { times: n }])));
  console.log(
    `${result.agents} agents, ${result.acknowledgedSources} sources and ${result.acknowledgedJobs} jobs were accepted; ` +
      `${result.bigJobsEnded} big jobs ended in the siege; all work had ended ${Math.round(result.settledMs / 1000)} s after the last fault.\n` +
      `Resident memory of the bigger API: ${memory.start} MB at the start, ${memory.most} MB at most, ${memory.end} MB at the end.`,
  );
  for (const line of wrong) console.log(`WRONG ${line}`);
  return Object.values(broken).every((n) => n === 0);
}
